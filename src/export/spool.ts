import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import type { Transaction } from '../db/client.ts';
import type { Dataset } from './datasets.ts';
import type { Night } from './nights.ts';

/** Writes a dataset's rows of a night to a file, as COPY writes CSV, and says how many they are. Memory stays flat. */
export async function spool(
  tx: Transaction,
  dataset: Dataset,
  night: Night,
  path: string,
  signal: AbortSignal,
): Promise<number> {
  const rows = tx.client.query(copyTo(`copy (${dataset.select(night)}) to stdout with (format csv)`));
  await pipeline(rows, createWriteStream(path), { signal });
  return rows.rowCount;
}
