// Generates migrations/tables.sql from src/db/tables: `npm run db:baseline`. Also the snapshot with which `npm run
// db:generate` compares the tables, and docs/contribute/tables.md.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { ownSchema } from '../src/db/schema-sources.ts';
import * as tables from '../src/db/tables/index.ts';
import { tableDiagrams } from './table-diagrams.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Files that make every declared table in an empty database, or show them, by path. */
export async function baselineFiles(): Promise<Readonly<Record<string, string>>> {
  const nothing = generateDrizzleJson({}, undefined, undefined, 'snake_case');
  // Loaders list the exports of a module in different orders.
  const sorted = Object.fromEntries(Object.entries(tables).sort(([a], [b]) => (a < b ? -1 : 1)));
  const declared = generateDrizzleJson(sorted, nothing.id, undefined, 'snake_case');
  const statements = await generateMigration(nothing, declared);
  const header = '-- Generated from src/db/tables by `npm run db:baseline`; do not edit.\n';
  const lines = statements.flatMap((statement) => statement.trim().split('\n'));
  const entry = { idx: 0, version: declared.version, when: 0, tag: 'tables', breakpoints: true };
  return {
    'migrations/tables.sql': `${header}${lines.map(wrapped).join('\n')}\n`,
    'migrations/meta/_journal.json': `${JSON.stringify({ version: '7', dialect: 'postgresql', entries: [entry] })}\n`,
    'migrations/meta/0000_snapshot.json': `${JSON.stringify({ ...declared, id: 'tables', prevId: nothing.prevId })}\n`,
    'docs/contribute/tables.md': tableDiagrams(),
  };
}

/** Breaks a line at spaces outside quoted text, so that it has at most 120 characters. */
function wrapped(line: string): string {
  if (line.length <= 120) return line;
  const isOutsideQuotes = (at: number) => line.slice(0, at).split("'").length % 2 === 1;
  let at = line.lastIndexOf(' ', 120);
  while (!isOutsideQuotes(at)) at = line.lastIndexOf(' ', at - 1);
  return `${line.slice(0, at)}\n${wrapped(`\t\t${line.slice(at + 1)}`)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // Snapshots of `npm run db:generate` are left over once its file was applied.
  rmSync(`${root}/migrations/meta`, { recursive: true, force: true });
  mkdirSync(`${root}/migrations/meta`, { recursive: true });
  for (const [path, text] of Object.entries(await baselineFiles())) writeFileSync(`${root}/${path}`, text);
  console.log(`A database with these tables is accepted after:
update ops.schema_state set baseline_hash = '${ownSchema().baselineHash}';`);
}
