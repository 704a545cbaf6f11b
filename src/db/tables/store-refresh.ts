import { sql } from 'drizzle-orm';
import { doublePrecision, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { runClock, verdict } from './run.ts';
import { ops } from './schemas.ts';

/** `abandoned`: ended early, because its upstream is no longer configured or it waited too long. */
export const storeRefreshStatus = ops.enum('store_refresh_status', ['open', 'published', 'abandoned']);

/** One crawl of STORE_AREAS with the store locator. */
export const storeRefresh = ops.table(
  'store_refresh',
  {
    refreshId: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** Boxes in the format of STORE_AREAS. */
    areas: text().notNull(),
    /** The single instant that dates all values of the refresh. */
    observedAt: instant().notNull(),
    status: storeRefreshStatus().notNull().default('open'),
    origin: text().notNull(),
    upstream: text().notNull(),
    clock: runClock().notNull(),
    startedAt: instant().notNull(),
    finishedAt: instant(),
    /** `partial`: no store is reported as gone. */
    verdict: verdict(),
    reasons: text().array().notNull().default([]),
    circles: integer(),
    storesSeen: integer(),
    storesNew: integer(),
    storesChanged: integer(),
    storesGone: integer(),
    /** Median ratio of the upstream's distances to miles: 1 if it measures in miles. */
    distancePerMile: doublePrecision(),
    /** Its circles with their answers (src/crawl/ledger/store-refreshes.ts). */
    searched: jsonb().notNull().default([]),
    /** The worker that has it, and its claim number: each worker that takes the refresh raises it. */
    workerId: uuid(),
    lease: integer().notNull().default(0),
    /** Why it is paused, and until when. */
    pausedFor: text(),
    pausedUntil: instant(),
  },
  (t) => [uniqueIndex('store_refresh_one_open').on(t.status).where(sql`status = 'open'`)],
);
