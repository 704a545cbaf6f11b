import { bigint, index, integer, numeric, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/**
 * Requests to a listing by the hour. `units` grows when requests are reserved; `sent` and the outcomes are written in
 * groups afterwards, so the last of a killed process are missing.
 */
export const spend = ops.table(
  'spend',
  {
    listing: text().notNull(),
    endpoint: text().notNull(),
    region: text(),
    runId: integer(),
    hour: instant().notNull(),
    sent: integer().notNull().default(0),
    /**
     * What was reserved for them of the limits, each its endpoint's weight. What a killed process did not send stays
     * counted.
     */
    units: integer().notNull().default(0),
    /**
     * What they cost, in units of `currency`: their share of the plan's price, or the price of requests beyond it.
     * Null: not known.
     */
    cost: numeric(),
    currency: text(),
    ok: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    refused: integer().notNull().default(0),
    rateLimited: integer().notNull().default(0),
    quota: integer().notNull().default(0),
    denied: integer().notNull().default(0),
    aborted: integer().notNull().default(0),
  },
  (t) => [
    unique('spend_once_an_hour').on(t.listing, t.hour, t.endpoint, t.region, t.runId).nullsNotDistinct(),
    index('spend_of_run').on(t.runId),
  ],
);

/** Units of a listing in the last minute, hour or day, in pieces of each: what has left the window counts no more. */
export const listingWindow = ops.table(
  'listing_window',
  {
    listing: text().notNull(),
    windowMs: bigint({ mode: 'number' }).notNull(),
    /** Number of the piece since 1970, by the database's own clock. */
    piece: bigint({ mode: 'number' }).notNull(),
    used: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.listing, t.windowMs, t.piece] })],
);

/**
 * The last write of outcomes each process made: one whose answer was lost with its connection is written again under
 * the same number, and so counted once.
 */
export const spendWrite = ops.table('spend_write', {
  writer: uuid().primaryKey(),
  number: integer().notNull(),
  writtenAt: instant().notNull(),
});
