import type pg from 'pg';
import type { Askable, Database } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { isUnleased } from './workers.ts';

/** What every claimed unit of work has. */
export interface Lease {
  readonly lease: number;
  readonly attempts: number;
}

/** A table of units of work: planned in batches, leased by workers, done or failed. */
export interface UnitTable<Unit> {
  readonly table: 'ops.category_page' | 'ops.detail_fetch';
  /** Columns that name a unit within its run, and where a claimed one has them. */
  readonly key: Readonly<Record<string, keyof Unit & string>>;
  /** More columns that a claim is told. */
  readonly told?: Readonly<Record<string, keyof Unit & string>>;
}

/** What a run may have in the queue at once. */
export interface Window {
  readonly batches: number;
  /** None with a higher number; null: any. */
  readonly lastBatch: number | null;
}

/** What leasing does to units of work, whatever they are. */
export function createLeasedUnits<Unit extends Lease>(db: Database, { table, key, told = {} }: UnitTable<Unit>) {
  const claimed = Object.entries({ ...key, ...told, lease: 'lease', attempts: 'attempts' })
    .map(([column, field]) => `${column} as "${field}"`)
    .join(', ');
  /** The unit under the lease it was claimed with; values from `$first` on. */
  const isOurs = (first: number) =>
    ['run_id', ...Object.keys(key), 'lease'].map((column, i) => `${column} = $${first + i}`).join(' and ');
  const oursOf = (runId: number, unit: Unit) => [runId, ...Object.values(key).map((field) => unit[field]), unit.lease];

  return {
    /**
     * Takes what is still to do of a batch: units neither done nor failed nor leased by another living worker. What this
     * worker has leased already it left behind (its database was away when it gave the unit back), and is no new attempt: a
     * process works on a batch once at a time.
     */
    async claim(runId: number, batchNo: number, workerId: string): Promise<Unit[]> {
      return rowsOf<Unit & pg.QueryResultRow>(
        db,
        `update ${table} u
         set worker_id = $3, lease = lease + 1, attempts = attempts + case when worker_id = $3 then 0 else 1 end
         where run_id = $1 and batch_no = $2 and status = 'planned' and (worker_id = $3 or ${isUnleased})
         returning ${claimed}`,
        [runId, batchNo, workerId],
      );
    },

    /** Gives a unit back undone; `costsAttempt` false when nothing was wrong with it (a limit, a shutdown). */
    async release(runId: number, unit: Unit, costsAttempt: boolean, why: string): Promise<void> {
      await db.query(
        `update ${table}
         set worker_id = null, queued_at = null, error = $1, attempts = attempts - case when $2 then 0 else 1 end
         where status = 'planned' and ${isOurs(3)}`,
        [why, costsAttempt, ...oursOf(runId, unit)],
      );
    },

    /** Gives a unit up for this run. */
    async fail(runId: number, unit: Unit, why: string): Promise<void> {
      await db.query(
        `update ${table} set status = 'failed', worker_id = null, error = $1 where status = 'planned' and ${isOurs(2)}`,
        [why, ...oursOf(runId, unit)],
      );
    },

    /**
     * Numbers of the batches to put into the queue next, oldest plan first, marked as queued: a window, so that a queue that
     * is lost or a run that is stopped costs nothing. A batch queued long ago and still not done is queued again. What fills
     * the window is among the oldest batches, those in the queue included: no others are looked at.
     */
    async takeWindow(
      sql: Askable,
      runId: number,
      { batches, lastBatch }: Window,
      requeueAfterMs: number,
    ): Promise<number[]> {
      const next = await rowsOf<{ batchNo: number }>(sql, selectWindow(table), [
        runId,
        batches,
        requeueAfterMs,
        lastBatch,
      ]);
      const batchNos = next.map(({ batchNo }) => batchNo);
      if (batchNos.length === 0) return [];
      await sql.query(
        `update ${table} set queued_at = clock_timestamp() where run_id = $1 and batch_no = any($2) and status = 'planned'`,
        [runId, batchNos],
      );
      return batchNos;
    },

    /** True while a unit is neither done nor failed. */
    async anyOutstanding(sql: Askable, runId: number): Promise<boolean> {
      const rows = await rowsOf(sql, `select 1 from ${table} where run_id = $1 and status = 'planned' limit 1`, [
        runId,
      ]);
      return rows.length > 0;
    },
  };
}

const selectWindow = (table: string): string => `
  with open as (
    select batch_no, max(queued_at) as queued_at
    from ${table}
    where run_id = $1 and status = 'planned' and ($4::int is null or batch_no <= $4)
    group by batch_no
    order by batch_no
    limit 2 * $2
  ), room as (
    select greatest(0, $2 - count(*)) as free from open where queued_at > clock_timestamp() - $3 * interval '1 ms'
  )
  select batch_no as "batchNo" from open
  where queued_at is null or queued_at <= clock_timestamp() - $3 * interval '1 ms'
  order by batch_no limit (select free from room)`;
