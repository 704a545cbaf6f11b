import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { jobs } from '../../jobs/index.ts';
import { variables } from '../../src/app/config.ts';
import { viewFiles } from '../../src/db/views/index.ts';
import { endpoints } from '../../src/source/endpoints/index.ts';
import { listings } from '../../src/source/listings/index.ts';
import { fillFewNights } from '../db/few-nights.ts';
import { sqlBlocksOf } from '../docs/examples.ts';
import { useDatabase } from '../support/database.ts';
import { commands, configuration, questionReference } from './reference.ts';
import { filesBelow, longLines, readText, root, type SourceFile } from './source-files.ts';

const pagesAtRoot = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', '.github/pull_request_template.md'];
const pages: readonly SourceFile[] = [
  ...pagesAtRoot.map((path) => ({ path, text: readText(path) })),
  ...filesBelow('docs', '.md'),
];

describe('docs', () => {
  it('the docs list the commands as the program declares them (-u rewrites the page)', async () => {
    await expect(await commands()).toMatchFileSnapshot(join(root, 'docs/operate/commands.md'));
  });

  it('the docs list the variables as the program declares them (-u rewrites the page)', async () => {
    await expect(configuration()).toMatchFileSnapshot(join(root, 'docs/operate/configuration.md'));
  });

  it('the docs list the questions as the program declares them (-u rewrites the page)', async () => {
    await expect(await questionReference()).toMatchFileSnapshot(join(root, 'docs/analyse/questions.md'));
  });

  it('.env.example has every variable, each commented out', () => {
    const lines = readText('.env.example').split('\n');
    const named = lines.filter((line) => line !== '' && !line.startsWith('# '));
    expect(named.map((line) => line.replace(/^#|=.*$/g, ''))).toEqual(variables.map(({ name }) => name));
    expect(named.filter((line) => !line.startsWith('#'))).toEqual([]);
  });

  it('docs/contribute/house.md names every job, endpoint and listing', () => {
    const house = readText('docs/contribute/house.md');
    const names = [...jobs, ...endpoints, ...Object.values(listings)].map(({ name }) => name);
    expect(names.filter((name) => !house.includes(`\`${name}\``))).toEqual([]);
  });

  it('the docs name every mart outside the data dictionary', () => {
    const marts = viewFiles.map((file) => file.replace(/\.sql$/, '').replaceAll('-', '_'));
    const text = pages
      .filter(({ path }) => !path.endsWith('data-dictionary.md'))
      .map((page) => page.text)
      .join('\n');
    expect(marts.filter((mart) => !new RegExp(`\\b${mart}\\b`).test(text))).toEqual([]);
  });

  it('the docs have no line longer than 120 characters', () => {
    expect([...pages, ...filesBelow('test/house', '.md')].flatMap(longLines)).toEqual([]);
  });

  it('links lead to files and headings that exist', () => {
    const broken = [...pages, ...filesBelow('test/house', '.md')].flatMap((page) =>
      linksOf(page)
        .filter(({ target, anchor }) => !existsSync(join(root, target)) || !hasHeading(target, anchor))
        .map(({ target, anchor }) => `${page.path} links to ${target}#${anchor}`),
    );
    expect(broken).toEqual([]);
  });

  it('all pages are reached from the README by links', () => {
    const byPath = new Map(pages.map((page) => [page.path, page]));
    const reached = new Set<string>();
    const waiting = ['README.md'];
    while (waiting.length > 0) {
      const path = waiting.pop()!;
      const page = byPath.get(path);
      if (!page || reached.has(path)) continue;
      reached.add(path);
      waiting.push(...linksOf(page).map(({ target }) => target));
    }
    const unreached = pages.map(({ path }) => path).filter((path) => path.startsWith('docs/') && !reached.has(path));
    expect(unreached).toEqual([]);
  });

  it('the docs name only commands, options and variables that exist', () => {
    const reference = readText('docs/operate/commands.md').split(/^## /m).slice(2);
    const optionsOf = new Map(
      reference.map((text) => [text.split('\n')[0]!, [...text.matchAll(/--[a-z-]+/g)].join(' ')]),
    );
    const everywhere = ['--help', '--now', '--json'];
    const known = variables.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));
    const prefixes = new Set(known.map((name) => name.split('_')[0]!));
    const unknown = pages.flatMap(({ path, text }) => {
      const commands = text
        .replaceAll('npm run --silent pricebook -- ', 'pricebook ')
        .matchAll(/(?:^ +|`)pricebook ([a-z-]+)([^`\n|]*)/gm);
      const mistakes = [...commands].flatMap(([, command, rest]) => {
        const options = [...rest!.matchAll(/--[a-z-]+/g)].map(([option]) => option);
        const own = optionsOf.get(command!);
        if (own === undefined) return [command!];
        return options.filter((option) => !everywhere.includes(option) && !own.split(' ').includes(option));
      });
      const named = [...text.matchAll(/\b[A-Z]+_[A-Z_]+\b/g)].map(([name]) => name);
      const absent = named.filter((name) => prefixes.has(name.split('_')[0]!) && !known.includes(name));
      return [...mistakes, ...absent].map((name) => `${path}: ${name}`);
    });
    expect(unknown.filter((each) => !each.includes('PRICEBOOK_BI_') && !each.includes('PRICEBOOK_DBT_'))).toEqual([]);
  });

  it('the docs name only npm scripts that exist', () => {
    const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
    const unknown = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/npm run ([\w:]+)/g)]
        .filter(([, name]) => !(name! in scripts))
        .map(([, name]) => `${path}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  describe('SQL on the pages', () => {
    const database = useDatabase();
    const statements = pages.flatMap(({ path }) =>
      sqlBlocksOf(path).map(({ statement }): [string, string] => [path, statement]),
    );

    beforeAll(() => fillFewNights(database.db));

    it('the pages contain SQL', () => {
      expect(statements.length).toBeGreaterThan(3);
    });

    it.each(statements)('%s: an analyst can run %s', async (_, statement) => {
      await database.db.tx(async (tx) => {
        await tx.query('set local role bi_reader');
        await tx.query(statement);
      });
    });
  });
});

/** The relative links of a page: paths from the root, and anchors. */
function linksOf({ path, text }: SourceFile): { target: string; anchor: string }[] {
  return [...text.matchAll(/\]\(([^)#\s]*)(?:#([^)]*))?\)/g)]
    .filter(([, target]) => !/^[a-z]+:/.test(target!))
    .map(([, target, anchor]) => ({
      target: target === '' ? path : join(dirname(path), target!),
      anchor: anchor ?? '',
    }));
}

/** Whether a page has the heading that an anchor names, spelled as GitHub does. */
function hasHeading(path: string, anchor: string): boolean {
  if (anchor === '' || !path.endsWith('.md')) return true;
  const headings = [...readText(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return headings.includes(anchor);
}
