import { sql } from 'drizzle-orm';
import { doublePrecision, integer, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { runClock, verdict } from './run.ts';
import { ops } from './schemas.ts';

/** `abandoned`: given up before its end, for an upstream that is asked no more or because it waited too long. */
export const storeRefreshStatus = ops.enum('store_refresh_status', ['open', 'published', 'abandoned']);

/** One walk over the areas of STORE_AREAS with the store locator. */
export const storeRefresh = ops.table(
  'store_refresh',
  {
    refreshId: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** Boxes as STORE_AREAS has them. */
    areas: text().notNull(),
    /** The one logical instant everything it saw is dated with. */
    observedAt: instant().notNull(),
    status: storeRefreshStatus().notNull().default('open'),
    origin: text().notNull(),
    upstream: text().notNull(),
    clock: runClock().notNull(),
    startedAt: instant().notNull(),
    finishedAt: instant(),
    /** `partial`: nothing is said to be gone. */
    verdict: verdict(),
    reasons: text().array().notNull().default([]),
    circles: integer(),
    storesSeen: integer(),
    storesNew: integer(),
    storesChanged: integer(),
    storesGone: integer(),
    /** Median of the upstream's distances by ours in miles: 1 where it measures in miles. */
    distancePerMile: doublePrecision(),
    /** Why it waits, in words, and until when. */
    pausedFor: text(),
    pausedUntil: instant(),
  },
  (t) => [uniqueIndex('store_refresh_one_open').on(t.status).where(sql`status = 'open'`)],
);
