import { RunRefused } from '../../base/errors.ts';
import type { CertificateVerdict, ClockKind, RegionCode } from '../../base/model/index.ts';
import type { Database, Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { lockRegion } from './lock-region.ts';
import { type Cost, costOfRun } from './run-cost.ts';
import { maxFailures, type RunPhase, type RunStatus } from './run-life.ts';
import { endStop, type RunStop, type StopReason, stopOf, stopRun } from './run-stops.ts';

export type { RunPhase, RunStatus } from './run-life.ts';

/** One crawl of one region. */
export interface Run {
  readonly runId: number;
  readonly region: RegionCode;
  /** `YYYY-MM-DD`, local to the region. */
  readonly snapshotDate: string;
  readonly observedAt: Date;
  readonly status: RunStatus;
  readonly phase: RunPhase;
  readonly epoch: number;
  readonly maxDetails: number;
  readonly origin: string;
  /** Upstream and clock that it was opened with; null: any. */
  readonly upstream: string | null;
  readonly clock: ClockKind | null;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly verdict: CertificateVerdict | null;
  readonly productsListed: number | null;
  readonly productsAvailable: number | null;
  readonly requestsSpent: number | null;
  /** Cost of its requests so far; null if the plan, its price or its quota is unknown. */
  readonly cost: Cost | null;
  readonly pausedReason: StopReason | null;
  readonly pausedFor: string | null;
  readonly pausedUntil: Date | null;
  /** Unexpected failures in a row. */
  readonly failureCount: number;
  /** Rounds of repair so far. */
  readonly repairRounds: number;
}

/** Whether the run is published with a verdict better than `partial`. */
export function isCertified({ status, verdict }: Run): boolean {
  return status === 'published' && verdict !== 'partial';
}

/** Whether a run is no longer retried automatically: a user has to continue or abandon it. */
export function hasFailedTooOften({ failureCount }: Run): boolean {
  return failureCount >= maxFailures;
}

export interface OpenRun {
  readonly region: RegionCode;
  readonly snapshotDate: string;
  readonly now: Date;
  readonly maxDetails: number;
  /** `command` or `schedule`. */
  readonly origin: string;
  readonly upstream?: string;
  readonly clock?: ClockKind;
  /** Return an existing certified run of the night instead of opening a new one. */
  readonly leavesCertified?: boolean;
}

const columns = `
  run_id as "runId", region, snapshot_date as "snapshotDate", observed_at as "observedAt", status, phase, epoch,
  max_details as "maxDetails", origin, upstream, clock, started_at as "startedAt",
  finished_at as "finishedAt", verdict, products_listed as "productsListed", products_available as "productsAvailable",
  requests_spent as "requestsSpent", ${costOfRun('run.run_id')} as cost,
  ${stopOf('run.run_id', 'reason')} as "pausedReason", ${stopOf('run.run_id', 'detail')} as "pausedFor",
  ${stopOf('run.run_id', 'until')} as "pausedUntil", failure_count as "failureCount", repair_rounds as "repairRounds"`;

/** Creates access to the runs in the ledger. */
export function createRuns(db: Database) {
  const find = async (runId: number, sql: Queryable = db): Promise<Run | null> => {
    const [run] = await rowsOf<Run>(sql, `select ${columns} from ops.run where run_id = $1`, [runId]);
    return run ?? null;
  };
  const byId = async (runId: number, sql: Queryable = db): Promise<Run> => {
    const run = await find(runId, sql);
    if (!run) throw new RunRefused(`There is no run ${runId}.`);
    return run;
  };

  return {
    /** Null if the run does not exist. */
    find,
    byId,

    /** The open run of a region, if any. */
    async openOf(region: RegionCode): Promise<Run | null> {
      const [run] = await rowsOf<Run>(db, `select ${columns} from ops.run where region = $1 and status = 'open'`, [
        region,
      ]);
      return run ?? null;
    },

    /**
     * Whether the night has a run. An abandoned or expired run counts if the scheduler opened it, because the scheduler
     * opens a night once.
     */
    async isNightTaken(region: RegionCode, snapshotDate: string): Promise<boolean> {
      const rows = await rowsOf(
        db,
        `select 1 from ops.run
         where region = $1 and snapshot_date = $2
           and (status not in ('abandoned', 'expired') or origin = 'schedule')
         limit 1`,
        [region, snapshotDate],
      );
      return rows.length > 0;
    },

    /** Snapshot date of the region's last run of an earlier night, in any state. */
    async lastNightBefore(region: RegionCode, night: string): Promise<string | null> {
      const [row] = await rowsOf<{ night: string | null }>(
        db,
        'select max(snapshot_date) as night from ops.run where region = $1 and snapshot_date < $2',
        [region, night],
      );
      return row?.night ?? null;
    },

    /** Snapshot date of the region's last run that was not abandoned or expired; earlier nights cannot be opened. */
    async lastKeptNight(region: RegionCode): Promise<string | null> {
      const [row] = await rowsOf<{ night: string | null }>(
        db,
        `select max(snapshot_date) as night from ops.run where region = $1 and status not in ('abandoned', 'expired')`,
        [region],
      );
      return row?.night ?? null;
    },

    async recordMissed(region: RegionCode, nights: readonly string[], now: Date): Promise<void> {
      await db.query(
        `insert into ops.missed_night (region, snapshot_date, noticed_at)
         select $1, night, $3 from unnest($2::date[]) as night on conflict do nothing`,
        [region, nights, now],
      );
    },

    async allOpen(): Promise<Run[]> {
      return rowsOf<Run>(db, `select ${columns} from ops.run where status = 'open' order by run_id`);
    },

    /** The last runs, newest first. */
    async recent(limit: number, region?: RegionCode): Promise<Run[]> {
      return rowsOf<Run>(
        db,
        `select ${columns} from ops.run where $2::text is null or region = $2 order by run_id desc limit $1`,
        [limit, region ?? null],
      );
    },

    /**
     * Returns the region's open run, whatever its night, or opens a new one. Throws `RunRefused` if the night is
     * earlier than the region's last run.
     */
    async open({
      region,
      snapshotDate,
      now,
      maxDetails,
      origin,
      upstream,
      clock,
      leavesCertified = false,
    }: OpenRun): Promise<{ run: Run; isNew: boolean }> {
      return db.tx(async (tx) => {
        await lockRegion(tx, region);
        const [open] = await rowsOf<Run>(tx, `select ${columns} from ops.run where region = $1 and status = 'open'`, [
          region,
        ]);
        if (open) return { run: open, isNew: false };
        const [night] = await rowsOf<Run>(
          tx,
          `select ${columns} from ops.run where region = $1 and snapshot_date = $2 and status in ('published', 'held')
           order by run_id desc limit 1`,
          [region, snapshotDate],
        );
        if (leavesCertified && night && isCertified(night)) return { run: night, isNew: false };
        const [last] = await rowsOf<{ snapshotDate: string; observedAt: Date }>(
          tx,
          `select snapshot_date as "snapshotDate", observed_at as "observedAt" from ops.run
           where region = $1 and status not in ('abandoned', 'expired')
           order by observed_at desc limit 1`,
          [region],
        );
        if (last && snapshotDate < last.snapshotDate) {
          throw new RunRefused(
            `The last run of ${region} belongs to ${last.snapshotDate}; a run for ${snapshotDate} would go back in ` +
              `time, and history is append-only. Use \`--now ${last.snapshotDate}\` or later, choose another ` +
              'database with PRICEBOOK_HOME or DATABASE_URL, or empty this one with `pricebook reset`.',
          );
        }
        // A night crawled twice with the same --now must still be a later run.
        const observedAt = last && now <= last.observedAt ? new Date(last.observedAt.getTime() + 1) : now;
        const [run] = await rowsOf<Run>(
          tx,
          `insert into ops.run (region, snapshot_date, observed_at, max_details, origin, upstream, clock, started_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${columns}`,
          [region, snapshotDate, observedAt, maxDetails, origin, upstream ?? null, clock ?? null, now],
        );
        return { run: run!, isNew: true };
      });
    },

    /** Snapshot date of the region's last published run after this run; null if this run can still be published. */
    async lastPublishedAfter({ region, observedAt }: Run): Promise<string | null> {
      const [later] = await rowsOf<{ night: string }>(
        db,
        `select snapshot_date as night from ops.published_run where region = $1 and observed_at > $2
         order by observed_at desc limit 1`,
        [region, observedAt],
      );
      return later?.night ?? null;
    },

    /** Pauses a run. A run that has finished fetching meanwhile is not paused: a late answer may arrive after that. */
    pause: (runId: number, stop: RunStop, during?: 'asking' | 'finishing'): Promise<void> =>
      stopRun(db, runId, stop, during),

    /** Ends the run's pause. */
    goOn: (runId: number): Promise<void> => endStop(db, runId),

    /** Ends the pause at a user's request and resets the failure count. */
    async resume(runId: number): Promise<void> {
      await endStop(db, runId);
      await db.query(`update ops.run set failure_count = 0 where run_id = $1 and status = 'open'`, [runId]);
    },
  };
}

export type Runs = ReturnType<typeof createRuns>;
