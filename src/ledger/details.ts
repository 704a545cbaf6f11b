import type { Askable, Database } from '../db/client.ts';
import { countOf, rowsOf } from '../db/rows.ts';
import { createLeasedUnits, type Lease } from './leased-units.ts';

/** How often a product's details are asked for before the run goes on without them. */
export const maxDetailAttempts = 3;

/** Products in one queue job. */
export const detailsPerBatch = 20;

/** The products whose details a run asks for: planned, claimed under a lease, done or failed. */
export function createDetails(db: Database) {
  const units = createLeasedUnits<ClaimedDetail>(db, {
    table: 'ops.detail_fetch',
    key: { product_id: 'productId' },
    told: { reason: 'reason' },
  });

  return {
    /**
     * Chooses up to `limit` products in all: new ones first, then those whose listing changed, by product id; those chosen
     * before (a repair found more products) count. Returns how many are worth asking for, and how many were chosen.
     */
    async plan(
      sql: Askable,
      runId: number,
      limit: number,
      perBatch: number,
    ): Promise<{ readonly wanted: number; readonly chosen: number }> {
      await sql.query(
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
      const [counted] = await rowsOf<{ wanted: number; chosen: number }>(
        sql,
        `select (select count(distinct product_id) from stage.listing where run_id = $1)::int as wanted,
           (select count(*) from ops.detail_fetch where run_id = $1 and reason in ('new', 'changed'))::int as chosen`,
        [runId],
      );
      return counted!;
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

    claim: units.claim,
    release: units.release,
    fail: units.fail,
    takeWindow: units.takeWindow,
    anyOutstanding: units.anyOutstanding,

    /** A product whose question the run has had answered; null before the first. */
    async anyDone(runId: number): Promise<string | null> {
      const [product] = await rowsOf<{ productId: string }>(
        db,
        `select product_id as "productId" from ops.detail_fetch where run_id = $1 and status = 'done' order by random() limit 1`,
        [runId],
      );
      return product?.productId ?? null;
    },
  };
}

export interface ClaimedDetail extends Lease {
  readonly productId: string;
  /** `new` and `changed` are worth knowing more of; `missing` and `delist` were not seen. */
  readonly reason: 'new' | 'changed' | 'missing' | 'delist';
}

export type Details = ReturnType<typeof createDetails>;
