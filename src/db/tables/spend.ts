import { bigint, index, integer, numeric, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/**
 * Requests to a listing per hour. `units` grows when requests are reserved; `sent` and the outcomes are written later
 * in groups, so a killed process loses its last ones.
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
    /** Reserved units, weighted by endpoint. Units that a killed process did not use stay counted. */
    units: integer().notNull().default(0),
    /** Cost in units of `currency`: the share of the plan's price, or the price of extra requests. Null: unknown. */
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

/**
 * Units used in the last minute, hour or day, per piece of the window; pieces that have left the window no longer
 * count.
 */
export const listingWindow = ops.table(
  'listing_window',
  {
    listing: text().notNull(),
    windowMs: bigint({ mode: 'number' }).notNull(),
    /** Number of the piece since 1970, by the database's clock. */
    piece: bigint({ mode: 'number' }).notNull(),
    used: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.listing, t.windowMs, t.piece] })],
);

/**
 * Number of each process's last settlement: if the response was lost with its connection, the settlement is sent again
 * with the same number and counted once.
 */
export const spendWrite = ops.table('spend_write', {
  writer: uuid().primaryKey(),
  number: integer().notNull(),
  writtenAt: instant().notNull(),
});
