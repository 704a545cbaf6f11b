import { sql } from 'drizzle-orm';
import { date, index, integer, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { region } from './region.ts';
import { ops } from './schemas.ts';

/**
 * `open`: being crawled; `held`: read, but a finding keeps it from publication until a person decides; `published`:
 * merged into the catalogue; `abandoned`: given up by a person; `expired`: could not end before the next night was due.
 * Nothing of the last two is in the catalogue. What may follow what: src/crawl/ledger/run-life.ts.
 */
export const runStatus = ops.enum('run_status', ['open', 'held', 'published', 'abandoned', 'expired']);

/** What an open run is doing. */
export const runPhase = ops.enum('run_phase', ['taxonomy', 'listing', 'details', 'finishing', 'over']);

/** How sure we are that a run saw everything. */
export const verdict = ops.enum('verdict', ['complete', 'complete_within_tolerance', 'partial']);

/** The clock a run lives by: the machine's, or one that `--now` plays on its snapshot date. */
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
    /** The one logical instant everything the run saw is dated with. */
    observedAt: instant().notNull(),
    status: runStatus().notNull().default('open'),
    phase: runPhase().notNull().default('taxonomy'),
    /**
     * Rises when the run is staged again, replayed or ended without publication: work that carries an older epoch
     * changes nothing.
     */
    epoch: integer().notNull().default(1),
    /** The run it is staged against: the region's last published one when staging began; null when there was none. */
    baseRunId: integer(),
    /** The epoch of that run then, 0 when there was none; null: nothing is staged that could be published. */
    baseEpoch: integer(),
    maxDetails: integer().notNull(),
    origin: text().notNull(),
    /**
     * What it was opened against, in words: a listing at its address, or a simulator with the date it plays. Null:
     * before this was kept.
     */
    upstream: text(),
    clock: runClock(),
    startedAt: instant().notNull(),
    finishedAt: instant(),
    verdict: verdict(),
    productsListed: integer(),
    productsAvailable: integer(),
    requestsSpent: integer(),
    /** Failures in a row that nobody expected; each one is followed by a longer rest. */
    failureCount: smallint().notNull().default(0),
    /** How often work was added because what had been read fell short. */
    repairRounds: smallint().notNull().default(0),
  },
  (t) => [
    uniqueIndex('run_one_open_per_region').on(t.region).where(sql`status = 'open'`),
    uniqueIndex('run_one_scheduled_per_night').on(t.region, t.snapshotDate).where(sql`origin = 'schedule'`),
    index('run_by_night').on(t.region, t.snapshotDate, t.runId),
    // Of published runs each has an instant of its own, by which rows of the histories find their night.
    index('run_by_instant').on(t.region, t.observedAt),
  ],
);
