import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { jobs } from '../../jobs/index.ts';
import { variables } from '../../src/app/config.ts';
import { verbs } from '../../src/cli/program.ts';
import { questions } from '../../src/questions/index.ts';
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
const namesOf = (registry: readonly { readonly name: string }[]) => registry.map(({ name }) => name);
const marts = filesBelow('src/db/views', '.sql').map(({ path }) => basename(path, '.sql').replaceAll('-', '_'));

describe('docs', () => {
  it.each([
    ['docs/operate/commands.md', commands],
    ['docs/operate/configuration.md', configuration],
    ['docs/analyse/questions.md', questionReference],
  ])('%s is as the program declares it (-u rewrites the page)', async (path, written) => {
    await expect(await written()).toMatchFileSnapshot(join(root, path));
  });

  it.each([
    ['variables', '.env.example', namesOf(variables), (name: string) => `\n#${name}=`],
    ['commands', 'docs/operate/commands.md', namesOf(verbs), (name: string) => `\n## ${name}\n`],
    ['questions', 'docs/analyse/questions.md', namesOf(questions), (name: string) => `\n### ${name}\n`],
    ['jobs', 'docs/contribute/house.md', namesOf(jobs), (name: string) => `\`${name}\``],
    ['endpoints', 'docs/contribute/house.md', namesOf(endpoints), (name: string) => `\`${name}\``],
    ['listings', 'docs/contribute/house.md', namesOf(Object.values(listings)), (name: string) => `\`${name}\``],
    ['marts', 'docs/analyse/marts.md', marts, (name: string) => name],
    ['marts', 'docs/analyse/data-dictionary.md', marts, (name: string) => `\n## marts.${name}`],
  ])('all %s have their place in %s', (_, path, names, placeOf) => {
    const text = `\n${readText(path)}`;
    expect(names.filter((name) => !text.includes(placeOf(name)))).toEqual([]);
  });

  it('the docs have no line longer than 120 characters', () => {
    expect(pages.flatMap(longLines)).toEqual([]);
  });

  it('links lead to files and headings that exist', () => {
    const broken = pages.flatMap((page) =>
      linksOf(page)
        .filter(({ target, anchor }) => !existsSync(join(root, target)) || !hasHeading(target, anchor))
        .map(({ target, anchor }) => `${page.path} links to ${target}#${anchor}`),
    );
    expect(broken).toEqual([]);
  });

  it('all pages are reached from the README by links', () => {
    const reached = new Set(['README.md']);
    // A set grows while it is walked.
    for (const path of reached) {
      const page = pages.find((each) => each.path === path);
      for (const { target } of page ? linksOf(page) : []) reached.add(target);
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
    const unknown = [...pages, { path: '.env.example', text: readText('.env.example') }].flatMap(({ path, text }) => {
      const commands = text
        .replaceAll('npm run --silent pricebook -- ', 'pricebook ')
        .matchAll(/(?:^ +|`)pricebook ([a-z-]+)([^`\n|]*)/gm);
      const mistakes = [...commands].flatMap(([, command, rest]) => {
        const options = [...rest!.matchAll(/--[a-z-]+/g)].map(([option]) => option);
        // The options of a watch are those of its question.
        const own = optionsOf.get(/^ add [\w-]+ ([\w-]+)/.exec(rest!)?.[1] ?? command!);
        if (own === undefined) return [command!];
        return options.filter((option) => !everywhere.includes(option) && !own.split(' ').includes(option));
      });
      const named = [...text.matchAll(/\b[A-Z]+_[A-Z_]+\b/g)].map(([name]) => name);
      const absent = named.filter((name) => prefixes.has(name.split('_')[0]!) && !known.includes(name));
      return [...mistakes, ...absent].map((name) => `${path}: ${name}`);
    });
    expect(unknown.filter((each) => !/PRICEBOOK_(BI|DBT)_/.test(each))).toEqual([]);
  });

  it('the docs name only npm scripts that exist', () => {
    const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
    const named = pages.flatMap(({ text }) => [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  describe('SQL on the pages', () => {
    const database = useDatabase();
    const statements = pages.flatMap(({ path }) =>
      sqlBlocksOf(path).map(({ statement }): [string, string] => [path, statement]),
    );

    beforeAll(() => fillFewNights(database.db));

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
