import type { Database, Queryable, Transaction } from '../../db/client.ts';
import { countOf, rowsOf } from '../../db/rows.ts';
import { choiceQuery, type choiceReasons } from './detail-choice.ts';
import type { Run } from './runs.ts';
import { type Claim, unitsOf } from './units.ts';

/** Maximum attempts per product before the run continues without its details. */
export const maxDetailAttempts = 3;

export const detailUnits = unitsOf<ClaimedDetail>({
  table: 'ops.detail_fetch',
  key: [
    { column: 'place', field: 'place', type: 'int' },
    { column: 'product_id', field: 'productId', type: 'text' },
  ],
  columns: { reason: 'u.reason' },
});

/** SQL: the place after all details planned for run `$1`. */
const nextPlace = '(select coalesce(max(place) + 1, 0) from ops.detail_fetch where run_id = $1)';

/** Creates access to the details that runs request, ordered by place. */
export function createDetails(db: Database) {
  return {
    /**
     * Chooses up to `limit` products in total (detail-choice.ts), including those chosen before a repair found more.
     */
    async plan(
      tx: Transaction,
      run: Pick<Run, 'runId' | 'region' | 'observedAt'>,
      options: PlanOptions,
    ): Promise<void> {
      const { runId, region, observedAt } = run;
      const { limit, maxAgeDays } = options;
      const query = await choiceQuery(tx, { region, at: observedAt, runId, limit, maxAgeDays });
      await tx.query(`set local work_mem = '64MB'`);
      await tx.query(
        `${query.sql}
         insert into ops.detail_fetch (run_id, product_id, reason, place)
         select $2, product_id, reason,
           (select coalesce(max(place) + 1, 0) from ops.detail_fetch where run_id = $2) + place
         from chosen
         on conflict do nothing`,
        query.values,
      );
    },

    /** Requests the pages of products that no category listed. Returns the number added. */
    async askAfter(sql: Queryable, runId: number, productIds: readonly string[]): Promise<number> {
      return countOf(
        sql,
        `insert into ops.detail_fetch (run_id, product_id, reason, place)
         select $1, product_id, 'missing', ${nextPlace} + row_number() over (order by product_id)
         from unnest($2::text[]) as wanted (product_id)
         on conflict do nothing`,
        [runId, productIds],
      );
    },

    /** Defers this claimed unit and all unclaimed ones to another night. */
    async defer(runId: number, unit: ClaimedDetail, why: string): Promise<void> {
      await detailUnits.giveBack(db, runId, [unit]);
      await db.query(
        `update ops.detail_fetch set status = 'failed', outcome = 'deferred', error = $2
         where run_id = $1 and status = 'planned' and worker_id is null`,
        [runId, why],
      );
    },

    /** A random product whose details the run has read; null if there is none. */
    async anyDone(runId: number): Promise<string | null> {
      const [product] = await rowsOf<{ productId: string }>(
        db,
        `select product_id as "productId" from ops.detail_fetch
         where run_id = $1 and status = 'done' order by random() limit 1`,
        [runId],
      );
      return product?.productId ?? null;
    },
  };
}

export interface ClaimedDetail extends Claim {
  /** Position in the order of reading; lower places are worth more. */
  readonly place: number;
  readonly productId: string;
  readonly reason: DetailReason;
}

/** Why a product's details are requested (src/db/tables/detail-fetch.ts). */
type DetailReason = (typeof choiceReasons)[number] | 'missing';

interface PlanOptions {
  readonly limit: number;
  /** Maximum age of details in days, as far as the limit allows. */
  readonly maxAgeDays: number;
}

export type Details = ReturnType<typeof createDetails>;
