import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Transaction } from '../../db/client.ts';

export type Cell = string | number | null;

/**
 * Copies rows into a table of `derived`. All cells are numbers, dates, words or lists of numbers, so no escaping is
 * needed.
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

/** Chunks of several rows, because one chunk per row would be slow. */
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
