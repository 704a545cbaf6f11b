import { and, asc, desc, eq, getTableColumns, gt, inArray, isNotNull, ne, notInArray, or, sql } from 'drizzle-orm';
import { RunRefused } from '../../base/errors.ts';
import type { RegionCode } from '../../base/model/index.ts';
import type { Database } from '../../db/client.ts';
import type { Orm } from '../../db/orm.ts';
import { categoryPage, detailFetch, run, stop } from '../../db/tables/index.ts';
import { endStop, type StopReason } from '../../gateway/limits/stops.ts';
import { type Cost, costOfRun } from './cost.ts';
import { lockRegion } from './lock-region.ts';
import { maxFailures, type RunPhase, type RunStatus } from './transitions.ts';

export type { RunPhase, RunStatus } from './transitions.ts';

/** One crawl of one region, as its table describes it. */
export interface Run extends Omit<typeof run.$inferSelect, 'region'> {
  readonly region: RegionCode;
  /** Cost of its requests so far; null if the plan, its price or its quota is unknown. */
  readonly cost: Cost | null;
  /** What holds back this run only, now: not its listing and not its key. */
  readonly stop: RunStop | null;
  /** Unexpected failures in a row. */
  readonly failureCount: number;
}

export interface RunStop {
  readonly reason: StopReason;
  /** A message for people. */
  readonly detail: string;
  readonly until: Date;
}

/** Whether the run is published with a verdict better than `partial`. */
export function isCertified({ status, verdict }: Pick<Run, 'status' | 'verdict'>): boolean {
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
  readonly upstream?: string | null;
  /** Return an existing certified run of the night instead of opening a new one. */
  readonly leavesCertified?: boolean;
}

/** An open run of any kind. */
export type OpenWork = Pick<typeof run.$inferSelect, 'runId' | 'kind'> & { readonly phase: RunPhase };

const ended: readonly RunStatus[] = ['abandoned', 'expired'];
const isKept = notInArray(run.status, [...ended]);

/** Creates access to the nights in the ledger. */
export function createRuns(db: Database) {
  const byId = async (runId: number, { orm }: { readonly orm: Orm } = db): Promise<Run> => {
    const [found] = await selectRuns(orm).where(eq(run.runId, runId));
    if (!found) throw new RunRefused(`There is no run ${runId}.`);
    return runOf(found);
  };

  return {
    byId,

    /** Null if the run does not exist. */
    async find(runId: number): Promise<Run | null> {
      const [found] = await selectRuns(db.orm).where(eq(run.runId, runId));
      return found ? runOf(found) : null;
    },

    /** The open run of a region, if any. */
    async openOf(region: RegionCode): Promise<Run | null> {
      const [found] = await selectRuns(db.orm).where(and(eq(run.region, region), eq(run.status, 'open')));
      return found ? runOf(found) : null;
    },

    /** The open runs of all kinds. */
    allOpen: (): Promise<OpenWork[]> =>
      db.orm
        .select({ runId: run.runId, kind: run.kind, phase: run.phase })
        .from(run)
        .where(eq(run.status, 'open'))
        .orderBy(asc(run.runId)),

    /**
     * Whether the night has a run. An abandoned or expired run counts if the scheduler opened it, because the scheduler
     * opens a night once.
     */
    async isNightTaken(region: RegionCode, snapshotDate: string): Promise<boolean> {
      const isOfNight = and(eq(run.region, region), eq(run.snapshotDate, snapshotDate));
      return (await db.orm.$count(run, and(isOfNight, or(isKept, eq(run.origin, 'schedule'))))) > 0;
    },

    /** Snapshot date of the region's last run that was not abandoned or expired; earlier nights cannot be opened. */
    lastKeptNight: async (region: RegionCode): Promise<string | null> =>
      (await lastKept(db.orm, region))?.snapshotDate ?? null,

    /** When a run last read a page or product detail; its start if it has read none. */
    async lastReadAt({ runId, startedAt }: Pick<Run, 'runId' | 'startedAt'>): Promise<Date> {
      const last = async (unit: typeof categoryPage | typeof detailFetch) => {
        const [row] = await db.orm
          .select({ at: unit.fetchedAt })
          .from(unit)
          .where(and(eq(unit.runId, runId), isNotNull(unit.fetchedAt)))
          .orderBy(desc(unit.fetchedAt))
          .limit(1);
        return row?.at ?? startedAt;
      };
      const all = [startedAt, await last(categoryPage), await last(detailFetch)];
      return new Date(Math.max(...all.map((at) => at.getTime())));
    },

    /** The last runs, newest first. */
    async recent(limit: number, region?: RegionCode): Promise<Run[]> {
      const isWanted = and(eq(run.kind, 'night'), region && eq(run.region, region));
      return (await selectRuns(db.orm).where(isWanted).orderBy(desc(run.runId)).limit(limit)).map(runOf);
    },

    /** The last certified run of each region that has one. */
    async lastCertified(): Promise<{ readonly region: RegionCode; readonly finishedAt: Date }[]> {
      const found = await db.orm
        .selectDistinctOn([run.region], { region: run.region, finishedAt: run.finishedAt })
        .from(run)
        .where(and(eq(run.kind, 'night'), eq(run.status, 'published'), ne(run.verdict, 'partial')))
        .orderBy(run.region, desc(run.observedAt));
      return found.map(({ region, finishedAt }) => ({ region: region!, finishedAt: finishedAt! }));
    },

    /**
     * Returns the region's open run, whatever its night, or opens a new one. Throws `RunRefused` if the night is
     * earlier than the region's last run.
     */
    open(night: OpenRun): Promise<Run> {
      const { region, snapshotDate, now, maxDetails, origin, upstream = null, leavesCertified = false } = night;
      return db.tx(async (tx) => {
        await lockRegion(tx, region);
        const isOfNight = and(eq(run.snapshotDate, snapshotDate), inArray(run.status, ['published', 'held']));
        const [before] = await selectRuns(tx.orm)
          .where(and(eq(run.region, region), or(eq(run.status, 'open'), isOfNight)))
          .orderBy(desc(sql`${run.status} = 'open'`), desc(run.runId))
          .limit(1);
        if (before && (before.row.status === 'open' || (leavesCertified && isCertified(before.row))))
          return runOf(before);
        const last = await lastKept(tx.orm, region);
        if (last && snapshotDate < last.snapshotDate) {
          throw new RunRefused(
            `The last run of ${region} belongs to ${last.snapshotDate}; a run for ${snapshotDate} would go back in ` +
              `time, and history is append-only. Use \`--now ${last.snapshotDate}\` or later, choose another ` +
              'database with PRICEBOOK_HOME or DATABASE_URL, or empty this one with `pricebook reset`.',
          );
        }
        // A night crawled twice with the same --now must still be a later run.
        const observedAt = last && now <= last.observedAt ? new Date(last.observedAt.getTime() + 1) : now;
        const [opened] = await tx.orm
          .insert(run)
          .values({ region, snapshotDate, observedAt, maxDetails, origin, upstream, startedAt: now })
          .returning();
        return runOf({ row: opened!, cost: null, own: null });
      });
    },

    /** Snapshot date of the region's last published run after this run; null if this run can still be published. */
    async lastPublishedAfter({ region, observedAt }: Run): Promise<string | null> {
      const [later] = await db.orm
        .select({ night: run.snapshotDate })
        .from(run)
        .where(and(eq(run.region, region), eq(run.status, 'published'), gt(run.observedAt, observedAt)))
        .orderBy(desc(run.observedAt))
        .limit(1);
      return later?.night ?? null;
    },

    /** Ends the run's own stop. */
    goOn: (runId: number): Promise<void> => endStop(db, 'run', String(runId)),
  };
}

export type Runs = ReturnType<typeof createRuns>;

interface Found {
  readonly row: typeof run.$inferSelect;
  readonly cost: Cost | null;
  readonly own: (typeof stop.$inferSelect & { readonly isInForce?: boolean }) | null;
}

function selectRuns(orm: Orm) {
  const own = { ...getTableColumns(stop), isInForce: sql<boolean>`${stop.until} > ops.clock()` };
  return orm
    .select({ row: getTableColumns(run), cost: sql<Cost | null>`${sql.raw(costOfRun('run.run_id'))}`, own })
    .from(run)
    .leftJoin(stop, and(eq(stop.scope, 'run'), eq(stop.scopeId, sql`${run.runId}::text`)));
}

function runOf({ row, cost, own }: Found): Run {
  const { reason, detail, until, times = 0, isInForce = false } = own ?? {};
  return {
    ...row,
    region: row.region as RegionCode,
    cost,
    stop: isInForce ? { reason: reason!, detail: detail ?? '', until: until! } : null,
    failureCount: reason === 'broken' ? times : 0,
  };
}

async function lastKept(orm: Orm, region: RegionCode) {
  const [last] = await orm
    .select({ snapshotDate: run.snapshotDate, observedAt: run.observedAt })
    .from(run)
    .where(and(eq(run.region, region), isKept))
    .orderBy(desc(run.observedAt))
    .limit(1);
  return last ?? null;
}
