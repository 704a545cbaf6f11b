import type { Database, Queryable } from '../../db/client.ts';
import { countOf, rowsOf } from '../../db/rows.ts';

/**
 * Content hash of a published run, computed from `marts.product_night`: the sum of `catalog.product_hash` over its
 * listed products. A publication computes the same hash from its changes. Null if the run is not published.
 */
export async function contentHash(sql: Queryable, runId: number): Promise<string | null> {
  const [row] = await rowsOf<{ hash: string }>(sql, hashNight, [runId]);
  return row?.hash ?? null;
}

/** The same in its own transaction, with memory to join a whole night. */
export async function hashNightOf(db: Database, runId: number): Promise<string | null> {
  return db.tx(async (tx) => {
    await tx.query(`set local work_mem = '64MB'`);
    return contentHash(tx, runId);
  });
}

/** Whether a published run of the region lacks its hash. */
export async function isHashOwed(sql: Queryable, region: string): Promise<boolean> {
  const rows = await rowsOf(
    sql,
    `select from ops.published_run r join ops.certificate c using (run_id)
     where r.region = $1 and c.content_hash is null limit 1`,
    [region],
  );
  return rows.length > 0;
}

/**
 * Computes hashes that a release or replay has reset, for the region's last published runs. Idempotent. Returns the
 * number of hashes stored.
 */
export async function storeContentHashes(db: Database, region: string): Promise<number> {
  let stored = 0;
  const missing = await rowsOf<{ runId: number }>(
    db,
    `select run_id as "runId"
     from ops.published_run r join ops.certificate c using (run_id)
     where r.region = $1 and c.content_hash is null
     order by run_id desc limit $2`,
    [region, hashedAtOnce],
  );
  for (const { runId } of missing) {
    const hash = await hashNightOf(db, runId);
    stored += await countOf(
      db,
      'update ops.certificate set content_hash = $2 where run_id = $1 and content_hash is null',
      [runId, hash],
    );
  }
  return stored;
}

const hashedAtOnce = 8;

const hashNight = `
  select (
    select coalesce(sum(catalog.product_hash(product_id, title, price, currency, unit_price, unit_of_measure,
      loyalty_price, availability, on_promotion)), 0)
    from marts.product_night
    where run_id = $1
  )::text as hash
  from ops.published_run
  where run_id = $1`;
