import type { Queryable, Transaction } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { packSizeFromTitle } from '../../source/normalise/pack-title.ts';

const rowsAtOnce = 2_000;

/** Reads a SELECT in batches, so that a whole catalogue never has to fit in memory. */
export async function* inBatches<Row extends Record<string, unknown>>(
  tx: Queryable,
  select: string,
  signal?: AbortSignal,
): AsyncGenerator<readonly Row[]> {
  await tx.query(`declare batch no scroll cursor for ${select}`);
  for (;;) {
    signal?.throwIfAborted();
    const rows = await rowsOf<Row>(tx, `fetch ${rowsAtOnce} from batch`);
    if (rows.length === 0) break;
    yield rows;
  }
  await tx.query('close batch');
}

/**
 * Creates the temporary table `pack_title`: pack sizes parsed from titles, one row per title with a size. `titles` is
 * SQL with a column title.
 */
export async function readTitles(tx: Transaction, titles: string, signal?: AbortSignal): Promise<void> {
  await tx.query('drop table if exists pg_temp.pack_title');
  await tx.query(
    `create temporary table pack_title (title text, pack_size numeric, pack_measure text, pack_count smallint)
       on commit drop`,
  );
  const select = `select distinct title from (${titles}) as unread`;
  for await (const batch of inBatches<{ title: string }>(tx, select, signal)) {
    const read = batch.flatMap(({ title }) => {
      const size = packSizeFromTitle(title);
      return size === null ? [] : [{ title, ...size }];
    });
    await tx.query(
      'insert into pack_title select * from unnest($1::text[], $2::numeric[], $3::text[], $4::smallint[])',
      [
        read.map(({ title }) => title),
        read.map(({ size }) => size),
        read.map(({ measure }) => measure),
        read.map(({ count }) => count),
      ],
    );
  }
  await tx.query('analyze pack_title');
}
