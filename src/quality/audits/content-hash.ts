import type { Askable, Database } from '../../db/client.ts';
import { countOf, rowsOf } from '../../db/rows.ts';

/**
 * sha256 (hex) of a region's catalogue as a published run left it: of the sha256 of each row of `marts.product_night`, in order
 * of product id. Surrogate keys and the notation of numbers do not count. Null when there is no such run, or it listed nothing.
 */
export async function contentHash(sql: Askable, runId: number): Promise<string | null> {
  const [row] = await rowsOf<{ hash: string | null }>(sql, hashNight, [runId]);
  return row?.hash ?? null;
}

/** The same in a transaction that joins a whole night in memory. */
export async function hashNightOf(db: Database, runId: number): Promise<string | null> {
  return db.tx(async (tx) => {
    await tx.query(`set local work_mem = '64MB'`);
    return contentHash(tx, runId);
  });
}

/** Gives the region's last published runs the hash they lack. Idempotent. Returns how many got one. */
export async function storeContentHashes(db: Database, region: string): Promise<number> {
  let stored = 0;
  const missing = await rowsOf<{ runId: number }>(
    db,
    `select run_id as "runId"
     from ops.run r join ops.certificate c using (run_id)
     where r.region = $1 and r.status = 'published' and c.content_hash is null
     order by run_id desc limit $2`,
    [region, hashedAtOnce],
  );
  for (const { runId } of missing) {
    const hash = await hashNightOf(db, runId);
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
  from marts.product_night
  where run_id = $1
  having count(*) > 0`;
