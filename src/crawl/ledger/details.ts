import type { RegionCode } from '../../base/model/index.ts';
import type { Queryable, Transaction } from '../../db/client.ts';
import { countOf } from '../../db/rows.ts';
import type { Run } from '../run/runs.ts';

/** Chooses up to `limit` details of a run in total, including those chosen before a repair found more. */
export async function planDetails(
  tx: Transaction,
  { runId, region, observedAt }: Pick<Run, 'runId' | 'region' | 'observedAt'>,
  { limit, maxAgeDays }: PlanOptions,
): Promise<void> {
  await tx.query(`set local work_mem = '64MB'`);
  await tx.query(
    `insert into ops.detail_fetch (run_id, product_id, reason)
     select $1, product_id, reason from ops.choose_details($2, $1, $3, $4, $5) order by place
     on conflict do nothing`,
    [runId, region, observedAt, limit, maxAgeDays],
  );
}

/** Plans the own pages of products that no category listed. Returns the number added. */
export function planOwnPages(sql: Queryable, runId: number, productIds: readonly string[]): Promise<number> {
  return countOf(
    sql,
    `insert into ops.detail_fetch (run_id, product_id, reason)
     select $1, product_id, 'missing' from unnest($2::text[]) as wanted (product_id) order by product_id
     on conflict do nothing`,
    [runId, productIds],
  );
}

interface PlanOptions {
  readonly limit: number;
  /** Maximum age of details in days, as far as the limit allows. */
  readonly maxAgeDays: number;
}

/** Has the own pages of known products read first by the next night. Returns the number of known ids. */
export function requestDetails(sql: Queryable, region: RegionCode, productIds: readonly string[]): Promise<number> {
  return countOf(
    sql,
    `update catalog.product_current c set detail_read_at = '-infinity'
     from catalog.product p
     where p.product_key = c.product_key and p.region = $1 and p.product_id = any($2) and p.replaced_at is null`,
    [region, productIds],
  );
}
