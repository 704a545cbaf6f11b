// Generates migrations/tables.sql from src/db/tables: `npm run db:baseline`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import * as tables from '../src/db/tables/index.ts';

const file = fileURLToPath(new URL('../migrations/tables.sql', import.meta.url));

/** The SQL that makes every declared table in an empty database. */
export async function tablesAsSql(): Promise<string> {
  const nothing = generateDrizzleJson({}, undefined, undefined, 'snake_case');
  // Loaders list the exports of a module in different orders.
  const sorted = Object.fromEntries(Object.entries(tables).sort(([a], [b]) => (a < b ? -1 : 1)));
  const declared = generateDrizzleJson(sorted, nothing.id, undefined, 'snake_case');
  const statements = await generateMigration(nothing, declared);
  const header = '-- Generated from src/db/tables by `npm run db:baseline`; do not edit.\n';
  const lines = statements.flatMap((statement) => statement.trim().split('\n'));
  return `${header}${lines.map(wrapped).join('\n')}\n`;
}

/** Breaks a line at spaces outside quoted text, so that it has at most 120 characters. */
function wrapped(line: string): string {
  if (line.length <= 120) return line;
  const isOutsideQuotes = (at: number) => line.slice(0, at).split("'").length % 2 === 1;
  let at = line.lastIndexOf(' ', 120);
  while (!isOutsideQuotes(at)) at = line.lastIndexOf(' ', at - 1);
  return `${line.slice(0, at)}\n${wrapped(`\t\t${line.slice(at + 1)}`)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(file, await tablesAsSql());
