import type { z } from 'zod';
import { readCsv } from '../../base/csv.ts';
import { FileRefused } from '../../base/errors.ts';

/** Format of a CSV file filled in by a user: columns, row schema and unique key. */
export interface LoadedTable<Row> {
  /** Required columns; columns in `optional` may be added. */
  readonly columns: readonly string[];
  readonly optional: readonly string[];
  readonly row: z.ZodType<Row>;
  key(row: Row): string;
}

/** Parses a CSV text. Throws `FileRefused` with all mistakes, so that a file is loaded completely or not at all. */
export function readTable<Row>(file: string, text: string, table: LoadedTable<Row>): Row[] {
  const records = recordsOf(file, text);
  const header = (records[0] ?? []).map((name) => (name ?? '').trim().toLowerCase());
  const missing = table.columns.filter((name) => !header.includes(name));
  const unknown = header.filter((name) => ![...table.columns, ...table.optional].includes(name));
  const repeated = header.filter((name, n) => header.indexOf(name) !== n);
  if (missing.length + unknown.length + repeated.length > 0) {
    throw new FileRefused(file, [
      `its first line must name the columns ${table.columns.join(',')}` +
        (table.optional.length === 0 ? '' : `, and may name ${table.optional.join(',')}`),
    ]);
  }
  const rows: Row[] = [];
  const mistakes: string[] = [];
  const lines = new Map<string, number>();
  for (const [n, record] of records.entries()) {
    if (n === 0 || record.every((field) => field === null)) continue;
    const line = n + 1;
    if (record.length !== header.length) {
      mistakes.push(`line ${line} has ${record.length} fields instead of ${header.length}`);
      continue;
    }
    if (record.some((field) => field !== null && /\p{Cc}/u.test(field.trim()))) {
      mistakes.push(`line ${line} has a control character`);
      continue;
    }
    const given = header.flatMap((name, i) => (record[i] === null ? [] : [[name, record[i]?.trim()] as const]));
    const read = table.row.safeParse(Object.fromEntries(given));
    if (!read.success) {
      mistakes.push(...read.error.issues.map(({ path, message }) => `line ${line}, ${path.join('.')}: ${message}`));
      continue;
    }
    const key = table.key(read.data);
    const before = lines.get(key);
    if (before === undefined) lines.set(key, line);
    else mistakes.push(`line ${line} repeats line ${before}: ${key}`);
    rows.push(read.data);
  }
  if (mistakes.length === 0 && rows.length === 0) mistakes.push('it has no rows');
  if (mistakes.length > 0) throw new FileRefused(file, mistakes);
  return rows;
}

function recordsOf(file: string, text: string): (string | null)[][] {
  try {
    return readCsv(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new FileRefused(file, [`it is not valid CSV: ${(error as Error).message}`]);
  }
}
