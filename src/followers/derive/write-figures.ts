import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Transaction } from '../../db/client.ts';

export type Cell = string | number | null;

/**
 * COPYs rows into a table of `derived`; every cell is a number, a date, a word or a list of numbers, so nothing needs
 * escaping.
 */
export async function copyRows(
  tx: Transaction,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly Cell[]>,
): Promise<void> {
  const stream = tx.client.query(copyFrom(`copy derived.${table} (${columns.join(', ')}) from stdin`));
  await pipeline(Readable.from(lines(rows)), stream);
}

/** In pieces of some size: a chunk a row would be slower than the rows. */
function* lines(rows: Iterable<readonly Cell[]>): Generator<string> {
  let piece = '';
  for (const row of rows) {
    for (let i = 0; i < row.length; i++) piece += `${i === 0 ? '' : '\t'}${row[i] ?? '\\N'}`;
    piece += '\n';
    if (piece.length < 65_536) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
