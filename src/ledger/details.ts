import type { Askable, Database, Transaction } from '../db/client.ts';
import { countOf, rowsOf } from '../db/rows.ts';
import { type Ranked, rankDetails } from './detail-ranking.ts';
import { createLeasedUnits, type Lease } from './leased-units.ts';
import type { Run } from './runs.ts';

/** How often a product's details are asked for before the run goes on without them. */
export const maxDetailAttempts = 3;

/** How the reason begins why details of a run were left for another night. */
export const deferredWords = 'left for another night';

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
     * Chooses up to `limit` products in all by what their details are worth (detail-ranking.ts), the most valuable first; those
     * chosen before (a repair found more products) count.
     */
    async plan(
      tx: Transaction,
      run: Pick<Run, 'runId' | 'region' | 'observedAt'>,
      options: PlanOptions,
    ): Promise<Ranked> {
      const { runId, region, observedAt } = run;
      const { limit, maxAgeDays, perBatch } = options;
      const ranked = await rankDetails(tx, { region, at: observedAt, runId, limit, maxAgeDays, seed: String(runId) });
      await tx.query(
        `insert into ops.detail_fetch (run_id, product_id, reason, chance, age_days, batch_no)
         select $1, product_id, reason, chance, age_days,
           (select coalesce(max(batch_no) + 1, 0) from ops.detail_fetch where run_id = $1)
             + (row_number() over (order by place, product_id) - 1) / $2
         from detail_choice
         on conflict do nothing`,
        [runId, perBatch],
      );
      return ranked;
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

    /** Leaves what nobody has in hand, and one that somebody gives back, for another night. */
    async defer(runId: number, unit: ClaimedDetail, why: string): Promise<void> {
      const said = `${deferredWords}: ${why}`;
      await units.fail(runId, unit, said);
      await db.query(
        `update ops.detail_fetch set status = 'failed', error = $2 where run_id = $1 and status = 'planned' and worker_id is null`,
        [runId, said],
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
  readonly reason: DetailReason;
}

/** Why a product's details are asked for: the first are worth knowing (src/db/tables/detail-fetch.ts), `missing` and `delist` were not seen. */
export type DetailReason =
  | 'new'
  | 'overdue'
  | 'tile'
  | 'changed'
  | 'refresh'
  | 'explore'
  | 'audit'
  | 'missing'
  | 'delist';

export interface PlanOptions {
  readonly limit: number;
  /** Details become no older, as long as the limit allows. */
  readonly maxAgeDays: number;
  readonly perBatch: number;
}

export type Details = ReturnType<typeof createDetails>;
