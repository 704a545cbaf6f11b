import type { Transaction } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { packSizeFromTitle } from '../../source/normalise/pack-title.ts';

const titlesAtOnce = 2_000;

/**
 * Makes the temporary table `pack_title`: what titles say of the size of a pack, one row for each that names one.
 * `titles` is SQL: title.
 */
export async function readTitles(tx: Transaction, titles: string, signal?: AbortSignal): Promise<void> {
  await tx.query('drop table if exists pg_temp.pack_title');
  await tx.query(
    'create temporary table pack_title (title text, pack_size numeric, pack_measure text, pack_count smallint) on commit drop',
  );
  await tx.query(`declare unread_title no scroll cursor for select distinct title from (${titles}) as unread`);
  for (;;) {
    signal?.throwIfAborted();
    const batch = await rowsOf<{ title: string }>(tx, `fetch ${titlesAtOnce} from unread_title`);
    if (batch.length === 0) break;
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
  await tx.query('close unread_title');
  await tx.query('analyze pack_title');
}
