import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { jobs } from '../../jobs/index.ts';
import { variables } from '../../src/app/config.ts';
import { verbs } from '../../src/cli/verbs/index.ts';
import { viewFiles } from '../../src/db/views/index.ts';
import { questions } from '../../src/questions/index.ts';
import { endpoints } from '../../src/source/endpoints/index.ts';
import { listings } from '../../src/source/listings/index.ts';
import { fillFewNights } from '../db/few-nights.ts';
import { sqlBlocksOf } from '../docs/examples.ts';
import { useDatabase } from '../support/database.ts';
import { filesBelow, readText, root, type SourceFile } from './source-files.ts';

const papers: readonly SourceFile[] = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', '.github/pull_request_template.md'].map(
    (path) => ({
      path,
      text: readText(path),
    }),
  ),
  ...filesBelow('docs', '.md'),
];

describe('docs', () => {
  it('docs/operate/commands.md has every command, in the order of --help, and no other', () => {
    const documented = [...readText('docs/operate/commands.md').matchAll(/^\| `pricebook ([a-z-]+)[^|]*\|/gm)].map(
      (match) => match[1]!,
    );
    expect(documented).toEqual(verbs.map(({ name }) => name));
  });

  it('docs/operate/configuration.md says what the program knows of its variables (npx vitest run test/house -u writes it anew)', async () => {
    await expect(configuration()).toMatchFileSnapshot(join(root, 'docs/operate/configuration.md'));
  });

  it('docs/analyse/questions.md has every question as it is defined (npx vitest run test/house -u writes it anew)', async () => {
    await expect(await reference()).toMatchFileSnapshot(join(root, 'docs/analyse/questions.md'));
  });

  it('.env.example has every variable, each switched off', () => {
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

  it('README or a page of docs names every mart', () => {
    const marts = viewFiles.map((file) => file.replace(/\.sql$/, '').replaceAll('-', '_'));
    const text = papers.map((paper) => paper.text).join('\n');
    expect(marts.filter((mart) => !text.includes(`marts.${mart}`))).toEqual([]);
  });

  it('the map of docs leads to every page', () => {
    const reached = new Set(linksOf(papers.find(({ path }) => path === 'docs/README.md')!));
    const pages = filesBelow('docs', '.md').map(({ path }) => path);
    expect(pages.filter((path) => path !== 'docs/README.md' && !reached.has(path))).toEqual([]);
  });

  it('every link leads somewhere', () => {
    const broken = [...papers, ...filesBelow('test/house', '.md')].flatMap((paper) =>
      linksOf(paper)
        .filter((target) => !existsSync(join(root, target)))
        .map((target) => `${paper.path} links to ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('CONTRIBUTING.md names commands that are there', () => {
    const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
    const named = [...readText('CONTRIBUTING.md').matchAll(/npm run ([\w:]+)/g)].map((match) => match[1]!);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  describe('SQL in the papers', () => {
    const database = useDatabase();
    const statements = papers.flatMap(({ path }) =>
      sqlBlocksOf(path).map(({ statement }): [string, string] => [path, statement]),
    );

    beforeAll(() => fillFewNights(database.db));

    it('is there', () => {
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

/** Targets of a page's relative links, from the root. */
function linksOf({ path, text }: SourceFile): string[] {
  return [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map((match) => match[1]!)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => join(dirname(path), target));
}

function configuration(): string {
  const rows = variables.map(({ name, description, default: fallback, secret }) => {
    const file = secret ? ` Also as \`${name}_FILE\`.` : '';
    return `| \`${name}\` | ${description}.${file} | ${fallback} |`;
  });
  return [
    '# Configuration',
    '',
    'Variables of the environment, or of a file `.env` in the folder where the program is started; the environment wins. An empty variable',
    'is one that is not set. `<NAME>_FILE` names a file that holds the secret. All mistakes are reported at once, with exit code 78.',
    '`pricebook config` shows what holds and where it came from, secrets left out.',
    '',
    '| variable | meaning | when not set |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

async function reference(): Promise<string> {
  const parts = await Promise.all(
    questions.map(async ({ name, about, load }) => {
      const { parameters, columns } = await load();
      const rows = Object.entries(parameters.shape).map(
        ([parameter, schema]) =>
          `| \`--${parameter.replaceAll('_', '-')}\` | \`${parameter}\` | ${(schema as z.ZodType).description} |`,
      );
      const fields = wrapped(columns.map((column) => `\`${column.name}\``).join(', '));
      const table = ['| option | in the API | meaning |', '|---|---|---|', ...rows];
      return [`## ${name}`, '', `Shows ${about}.`, '', ...table, '', 'Fields:', ...fields, ''];
    }),
  );
  return [
    '# Questions',
    '',
    'Each question is a command, `pricebook NAME`, and an address of the API, `/api/v1/questions/NAME`. Both take the same parameters',
    'and give the same fields. Commands also take `--json`, `--csv` and, except `index` and `stores`, `--limit N`. The API takes',
    '`limit` (1,000 by default, at most 10,000) and `page`. `movers` counts the rows of each direction. Fields are described',
    'in the [data dictionary](data-dictionary.md).',
    '',
    ...parts.flat(),
  ].join('\n');
}

/** Lines of at most 120 characters. */
function wrapped(text: string): string[] {
  return text.match(/.{1,120}(?: |$)/g)!.map((line) => line.trim());
}
