import { sql } from 'drizzle-orm';
import { boolean, check, date, index, integer, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { ListingName, RegionCode } from '../../base/model/index.ts';
import { region } from './categories.ts';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/**
 * `open`: being crawled; `held`: read, but a finding blocks publication until a user decides; `published`: merged into
 * the catalogue; `abandoned`: by a user; `expired`: not finished before the next night was due. Data of the last two is
 * not in the catalogue. Transitions: src/crawl/run/transitions.ts.
 */
export const runStatus = ops.enum('run_status', ['open', 'held', 'published', 'abandoned', 'expired']);

/** What a run crawls: a region's catalogue, the stores of STORE_AREAS, or the first pages of searches. */
export const runKind = ops.enum('run_kind', ['night', 'stores', 'searches']);

/** Phase of an open run. A run of stores or searches has only `units`. */
export const runPhase = ops.enum('run_phase', ['taxonomy', 'categories', 'details', 'finishing', 'units', 'over']);

/** Verdict on the completeness of a run. */
export const verdict = ops.enum('verdict', ['complete', 'complete_within_tolerance', 'partial']);

/** One crawl. */
export const run = ops.table(
  'run',
  {
    runId: integer().primaryKey().generatedAlwaysAsIdentity(),
    kind: runKind().notNull().default('night'),
    /** Of a night; null for the other kinds. */
    region: text()
      .$type<RegionCode>()
      .references(() => region.region),
    /** Region-local calendar date, fixed when the run opens; that of London if there is no region. */
    snapshotDate: date().notNull(),
    /** The single instant that dates all values of the run. */
    observedAt: instant().notNull(),
    status: runStatus().notNull().default('open'),
    phase: runPhase().notNull().default('taxonomy'),
    /**
     * Fencing token: raised when the run is staged again, replayed, or ended without publication. Writes with an older
     * run token have no effect.
     */
    runToken: integer().notNull().default(1),
    /** Base of the stage: the region's last published run when staging began; null if there was none. */
    baseRunId: integer(),
    /** Run token of the base at that time, 0 if there was none; null: no publishable stage exists. */
    baseRunToken: integer(),
    maxDetails: integer().notNull(),
    origin: text().notNull(),
    /**
     * Description of the upstream: a listing with its address, or a simulator with its date. Null for runs of earlier
     * versions.
     */
    upstream: text(),
    startedAt: instant().notNull(),
    finishedAt: instant(),
    verdict: verdict(),
    productsListed: integer(),
    productsAvailable: integer(),
    requestsSpent: integer(),
    /** Rounds of repair so far. */
    repairRounds: smallint().notNull().default(0),
  },
  (t) => [
    uniqueIndex('run_one_open').on(t.kind, sql`coalesce(region, '')`).where(sql`status = 'open'`),
    check('run_region_of_night', sql`(kind = 'night') = (region is not null)`),
    uniqueIndex('run_one_scheduled_per_night').on(t.region, t.snapshotDate).where(sql`origin = 'schedule'`),
    index('run_by_night').on(t.region, t.snapshotDate, t.runId),
    // Published runs have distinct instants, by which history rows find their night.
    index('run_by_instant').on(t.region, t.observedAt),
  ],
);

/** The run of a row, which is deleted with it. */
export const ofRun = () =>
  integer()
    .notNull()
    .references(() => run.runId, { onDelete: 'cascade' });

/** The share of the month's quota that a run may use, as `ops.reserve` counts it. No row: no limit. */
export const runBudget = ops.table('run_budget', {
  runId: ofRun().primaryKey(),
  /** Null: no limit. */
  maxRequests: integer(),
  /** Requests reserved so far, without those given back unsent. */
  reserved: integer().notNull().default(0),
});

/** A crawling process. Leases are valid only while their worker is alive (by the database's clock). */
export const worker = ops.table('worker', {
  workerId: uuid().primaryKey(),
  host: text().notNull(),
  pid: integer().notNull(),
  /** Its command: `start`, `crawl` or `work`. */
  command: text().notNull(),
  /** Fingerprint of its grocery key (src/gateway/limits/stops.ts). */
  key: text().notNull(),
  startedAt: instant().notNull(),
  aliveUntil: instant().notNull(),
});

/** `simulated`: the program's own simulated supermarket; `live`: a listing at its address. */
export const worldKind = ops.enum('world_kind', ['simulated', 'live']);

/** The machine's clock, or one played by `--now`. */
export const clockKind = ops.enum('clock_kind', ['machine', 'played']);

/** The single world that this database belongs to; its only row is written by the first command that crawls. */
export const world = ops.table(
  'world',
  {
    isOnly: boolean().primaryKey().default(true),
    kind: worldKind().notNull(),
    clock: clockKind().notNull(),
    /** For a simulated world: its seed, and the number of products per region. */
    seed: integer(),
    items: integer(),
    /** For a live world: the listing, its base URL, and its host name at the gateway. */
    listing: text().$type<ListingName>(),
    baseUrl: text(),
    host: text(),
    recordedAt: instant().notNull(),
    /** Distinguishes databases of the same world, whose keys differ; a copy has the id of its original. */
    bookId: uuid().notNull().defaultRandom(),
  },
  (t) => [
    check('world_is_one', sql`${t.isOnly}`),
    check(
      'world_is_whole',
      sql`case ${t.kind}
            when 'simulated' then num_nonnulls(${t.seed}, ${t.items}) = 2
            else num_nonnulls(${t.listing}, ${t.baseUrl}, ${t.host}) = 3
          end`,
    ),
  ],
);
