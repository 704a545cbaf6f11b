import type { Askable, Database } from '../db/client.ts';
import { countOf, rowsOf } from '../db/rows.ts';
import { isUnleased } from './workers.ts';

/** How often a product's details are asked for before the run goes on without them. */
export const maxDetailAttempts = 3;

/** Products in one queue job. */
export const detailsPerBatch = 20;

/** The products whose details a run asks for: planned, claimed under a lease, done or failed. */
export function createDetails(db: Database) {
  return {
    /**
     * Chooses up to `limit` products in all: new ones first, then those whose listing changed, by product id; those chosen
     * before (a repair found more products) count. Returns how many were added.
     */
    async plan(sql: Askable, runId: number, limit: number, perBatch: number): Promise<number> {
      return countOf(
        sql,
        `with chosen as (
           select product_id, batch_no, reason from ops.detail_fetch where run_id = $1
         )
         insert into ops.detail_fetch (run_id, product_id, reason, batch_no)
         select $1, product_id, reason,
           (select coalesce(max(batch_no) + 1, 0) from chosen) + (row_number() over (order by reason desc, product_id) - 1) / $3
         from (
           select product_id, case when bool_or(product_key is null) then 'new' else 'changed' end as reason
           from stage.listing l
           where run_id = $1 and not exists (select from chosen where chosen.product_id = l.product_id)
           group by product_id
           order by reason desc, product_id
           limit greatest(0, $2 - (select count(*) from chosen where reason in ('new', 'changed')))
         ) as worth_asking`,
        [runId, limit, perBatch],
      );
    },

    /** Asks after products that no category listed. Returns how many were added. */
    async askAfter(
      sql: Askable,
      runId: number,
      productIds: readonly string[],
      reason: 'missing' | 'delist',
      perBatch: number,
    ): Promise<number> {
      return countOf(
        sql,
        `insert into ops.detail_fetch (run_id, product_id, reason, batch_no)
         select $1, product_id, $3,
           (select coalesce(max(batch_no) + 1, 0) from ops.detail_fetch where run_id = $1) + (row_number() over (order by product_id) - 1) / $4
         from unnest($2::text[]) as wanted (product_id)
         on conflict do nothing`,
        [runId, productIds, reason, perBatch],
      );
    },

    /** Takes what is still to do of a batch, like pages are taken. */
    async claim(runId: number, batchNo: number, workerId: string): Promise<ClaimedDetail[]> {
      return rowsOf<ClaimedDetail>(
        db,
        `update ops.detail_fetch u
         set worker_id = $3, lease = lease + 1, attempts = attempts + case when worker_id = $3 then 0 else 1 end
         where run_id = $1 and batch_no = $2 and status = 'planned' and (worker_id = $3 or ${isUnleased})
         returning product_id as "productId", reason, lease, attempts`,
        [runId, batchNo, workerId],
      );
    },

    async release(runId: number, detail: ClaimedDetail, costsAttempt: boolean, why: string): Promise<void> {
      await db.query(
        `update ops.detail_fetch
         set worker_id = null, queued_at = null, error = $4, attempts = attempts - case when $5 then 0 else 1 end
         where run_id = $1 and product_id = $2 and lease = $3 and status = 'planned'`,
        [runId, detail.productId, detail.lease, why, costsAttempt],
      );
    },

    async fail(runId: number, detail: ClaimedDetail, why: string): Promise<void> {
      await db.query(
        `update ops.detail_fetch set status = 'failed', worker_id = null, error = $4
         where run_id = $1 and product_id = $2 and lease = $3 and status = 'planned'`,
        [runId, detail.productId, detail.lease, why],
      );
    },

    /** Batches to hand to the queue next, marked as queued. */
    async takeWindow(sql: Askable, runId: number, limit: number, requeueAfterMs: number): Promise<number[]> {
      const rows = await rowsOf<{ batch_no: number }>(
        sql,
        `with open as (
           select batch_no, max(queued_at) as queued_at from ops.detail_fetch u
           where run_id = $1 and status = 'planned' group by batch_no
         ), room as (
           select greatest(0, $2 - count(*)) as free from open where queued_at > clock_timestamp() - $3 * interval '1 ms'
         ), next as (
           select batch_no from open
           where queued_at is null or queued_at <= clock_timestamp() - $3 * interval '1 ms'
           order by batch_no limit (select free from room)
         ), marked as (
           update ops.detail_fetch d set queued_at = clock_timestamp()
           from next where d.run_id = $1 and d.batch_no = next.batch_no and d.status = 'planned'
         )
         select batch_no from next order by batch_no`,
        [runId, limit, requeueAfterMs],
      );
      return rows.map((row) => row.batch_no);
    },

    /** A product whose question the run has had answered; null before the first. */
    async anyDone(runId: number): Promise<string | null> {
      const [product] = await rowsOf<{ productId: string }>(
        db,
        `select product_id as "productId" from ops.detail_fetch where run_id = $1 and status = 'done' order by random() limit 1`,
        [runId],
      );
      return product?.productId ?? null;
    },

    async anyOutstanding(sql: Askable, runId: number): Promise<boolean> {
      const rows = await rowsOf(
        sql,
        `select 1 from ops.detail_fetch where run_id = $1 and status = 'planned' limit 1`,
        [runId],
      );
      return rows.length > 0;
    },
  };
}

export interface ClaimedDetail {
  readonly productId: string;
  /** `new` and `changed` are worth knowing more of; `missing` and `delist` were not seen. */
  readonly reason: 'new' | 'changed' | 'missing' | 'delist';
  readonly lease: number;
  readonly attempts: number;
}

export type Details = ReturnType<typeof createDetails>;
