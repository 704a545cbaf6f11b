import type { Askable, Database } from '../../db/client.ts';
import { countOf, rowsOf } from '../../db/rows.ts';

/**
 * sha256 (hex) of a region's catalogue as the night of a date left it: of the sha256 of each row of `marts.as_of`, in order
 * of product id. Surrogate keys and the notation of numbers do not count. Null when there is no such night.
 */
export async function contentHash(sql: Askable, region: string, snapshotDate: string): Promise<string | null> {
  const [row] = await rowsOf<{ hash: string | null }>(sql, hashNight, [region, snapshotDate]);
  return row?.hash ?? null;
}

/** The same in a transaction that joins a whole night in memory. */
export async function hashNightOf(db: Database, region: string, snapshotDate: string): Promise<string | null> {
  return db.tx(async (tx) => {
    await tx.query(`set local work_mem = '64MB'`);
    return contentHash(tx, region, snapshotDate);
  });
}

/** Gives the region's last published runs the hash they lack, if they still are their night. Idempotent. Returns how many got one. */
export async function storeContentHashes(db: Database, region: string): Promise<number> {
  let stored = 0;
  const missing = await rowsOf<{ runId: number; snapshotDate: string }>(
    db,
    `select run_id as "runId", snapshot_date as "snapshotDate"
     from ops.run r join ops.certificate c using (run_id)
     where r.region = $1 and r.status = 'published' and c.content_hash is null
       and not exists (
         select from ops.run later
         where later.region = r.region and later.status = 'published' and later.snapshot_date = r.snapshot_date and later.run_id > r.run_id)
     order by run_id desc limit $2`,
    [region, hashedAtOnce],
  );
  for (const { runId, snapshotDate } of missing) {
    const hash = await hashNightOf(db, region, snapshotDate);
    if (hash === null) continue;
    stored += await countOf(
      db,
      'update ops.certificate set content_hash = decode($2, $3) where run_id = $1 and content_hash is null',
      [runId, hash, 'hex'],
    );
  }
  return stored;
}

/** Nights that lost theirs to a crash are few. */
const hashedAtOnce = 8;

const hashNight = `
  select encode(sha256(string_agg(sha256(convert_to(concat_ws(E'\\x1f',
      product_id, title, coalesce(price::text, '-'), currency, coalesce(trim_scale(unit_price)::text, '-'),
      coalesce(unit_of_measure, '-'), coalesce(loyalty_price::text, '-'), availability, on_promotion), 'UTF8')), ''::bytea
    order by product_id collate "C")), 'hex') as hash
  from marts.as_of($1, $2::date)
  having count(*) > 0`;
