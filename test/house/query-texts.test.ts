import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { foreignParts } from './query-texts.ts';
import { root } from './source-files.ts';

/** Dates, instants and numbers of nights, and names of our own tables, that statements hold as text. */
const known: Readonly<Record<string, string>> = {
  'src/base/model/region.ts': 'one of two codes',
  'src/cli/verbs/replay.ts': 'dates and regions, checked as options',
  'src/crawl/ledger/runs.ts': 'a run',
  'src/crawl/queue/postgres.ts': 'statements of the queue’s package',
  // Every call of its `query` is followed by itself.
  'src/db/client.ts': 'the statement it was given',
  'src/followers/derive/certified-nights.ts': 'dates of nights',
  'src/followers/derive/derive-nights.ts': 'dates of nights',
  'src/followers/derive/owed-nights.ts': 'dates of nights',
  'src/followers/derive/price-index/period-index.ts': 'dates of periods',
  'src/followers/derive/price-index/period-panels.ts': 'dates of periods',
  'src/followers/extra/forget.ts': 'dates of nights',
  'src/followers/export/datasets.ts': 'columns of datasets',
  'src/followers/export/nights.ts': 'nights',
  'src/publish/replay/in-shadow.ts': 'our statements, in other schemas',
  'src/publish/replay/scope.ts': 'runs',
  'src/publish/replay/shadow-names.ts': 'our statements, in other schemas',
};

describe('the text of every query', { timeout: 240_000 }, () => {
  test('the text of every query is written in the program; texts of others are parameters', () => {
    const config = ts.parseJsonConfigFileContent(
      ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
      ts.sys,
      root,
    );
    const isOurs = (file: string) => /\/(src|jobs)\//.test(file) && !/node_modules|\/simulator\//.test(file);
    const program = ts.createProgram(config.fileNames.filter(isOurs), config.options);
    const unknown = foreignParts(program, isOurs).filter((part) => !known[part.split(':')[0]!]);
    expect(unknown).toEqual([]);
  });

  test.each([
    ['put in at once', `db.query(\`select 1 from t where title = '\${JSON.parse(body).title}'\`);`, ['body: string']],
    [
      'through a name and a function',
      `const one = (title: string) => \`select '\${title}'\`; const t = body; db.query(one(t));`,
      ['body: string'],
    ],
    [
      'through a property',
      'const made: { text: string } = { text: body }; const again = made; db.query(again.text);',
      ['body: string'],
    ],
    ['as a parameter', `db.query('select 1 from t where title = $1', [body]);`, []],
    ['a number, or one of known words', `db.query(\`select \${count} from \${table}\`);`, []],
    ['quoted', `db.query(\`select '\${body.replaceAll("'", "''")}'\`);`, []],
    ['composed of constants', `const columns = ['a', 'b']; db.query(\`select \${columns.join(', ')}\`);`, []],
  ])('the check sees through a query %s', (_, code, found) => {
    const declared = `declare const db: { query(text: string, values?: unknown): void };
      declare const body: string; declare const count: number; declare const table: 'a' | 'b';`;
    expect(foreignParts(programOf(`${declared}\n${code}`), (file) => file.startsWith('src/'))).toEqual(
      found.map((part) => expect.stringContaining(`src/planted.ts: ${part} in src/planted.ts: `)),
    );
  });
});

function programOf(text: string): ts.Program {
  const host = ts.createCompilerHost({});
  const { getSourceFile } = host;
  host.getSourceFile = (name, version) =>
    name === 'src/planted.ts' ? ts.createSourceFile(name, text, version, true) : getSourceFile(name, version);
  return ts.createProgram(['src/planted.ts'], { target: ts.ScriptTarget.ES2022, strict: true, types: [] }, host);
}
