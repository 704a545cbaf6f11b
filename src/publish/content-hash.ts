import type { Queryable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';

/**
 * Content hash of a published run, computed from `marts.product_night`: the sum of `catalog.product_hash` over its
 * listed products. A publication computes the same hash from its changes. Null if the run is not published.
 */
export async function contentHash(sql: Queryable, runId: number): Promise<string | null> {
  // To join a whole night.
  await sql.query(`set local work_mem = '64MB'`);
  const [row] = await rowsOf<{ hash: string }>(
    sql,
    `select (
       select coalesce(sum(catalog.product_hash(product_id, title, price, currency, unit_price, unit_of_measure,
         loyalty_price, availability, on_promotion)), 0)
       from marts.product_night
       where run_id = $1
     )::text as hash
     from ops.published_run
     where run_id = $1`,
    [runId],
  );
  return row?.hash ?? null;
}
