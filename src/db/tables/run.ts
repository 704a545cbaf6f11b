import { sql } from 'drizzle-orm';
import { date, index, integer, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { region } from './region.ts';
import { ops } from './schemas.ts';

/**
 * `open`: being crawled; `held`: read, but a finding blocks publication until a user decides; `published`: merged into
 * the catalogue; `abandoned`: by a user; `expired`: not finished before the next night was due. Data of the last two is
 * not in the catalogue. Transitions: src/crawl/ledger/run-life.ts.
 */
export const runStatus = ops.enum('run_status', ['open', 'held', 'published', 'abandoned', 'expired']);

/** Phase of an open run. */
export const runPhase = ops.enum('run_phase', ['taxonomy', 'categories', 'details', 'finishing', 'over']);

/** Verdict on the completeness of a run. */
export const verdict = ops.enum('verdict', ['complete', 'complete_within_tolerance', 'partial']);

/** Clock of a run: the machine's, or one played by `--now`. */
export const runClock = ops.enum('run_clock', ['machine', 'played']);

/** One crawl of one region. */
export const run = ops.table(
  'run',
  {
    runId: integer().primaryKey().generatedAlwaysAsIdentity(),
    region: text()
      .notNull()
      .references(() => region.region),
    /** Region-local calendar date, fixed when the run opens. */
    snapshotDate: date().notNull(),
    /** The single instant that dates all values of the run. */
    observedAt: instant().notNull(),
    status: runStatus().notNull().default('open'),
    phase: runPhase().notNull().default('taxonomy'),
    /**
     * Fencing token: raised when the run is staged again, replayed, or ended without publication. Writes with an older
     * epoch have no effect.
     */
    epoch: integer().notNull().default(1),
    /** Base of the stage: the region's last published run when staging began; null if there was none. */
    baseRunId: integer(),
    /** Epoch of the base at that time, 0 if there was none; null: no publishable stage exists. */
    baseEpoch: integer(),
    maxDetails: integer().notNull(),
    origin: text().notNull(),
    /**
     * Description of the upstream: a listing with its address, or a simulator with its date. Null for runs of earlier
     * versions.
     */
    upstream: text(),
    clock: runClock(),
    startedAt: instant().notNull(),
    finishedAt: instant(),
    verdict: verdict(),
    productsListed: integer(),
    productsAvailable: integer(),
    requestsSpent: integer(),
    /** Unexpected failures in a row; each is followed by a longer pause. */
    failureCount: smallint().notNull().default(0),
    /** Rounds of repair so far. */
    repairRounds: smallint().notNull().default(0),
  },
  (t) => [
    uniqueIndex('run_one_open_per_region').on(t.region).where(sql`status = 'open'`),
    uniqueIndex('run_one_scheduled_per_night').on(t.region, t.snapshotDate).where(sql`origin = 'schedule'`),
    index('run_by_night').on(t.region, t.snapshotDate, t.runId),
    // Published runs have distinct instants, by which history rows find their night.
    index('run_by_instant').on(t.region, t.observedAt),
  ],
);
