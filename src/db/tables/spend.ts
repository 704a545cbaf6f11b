import { bigint, doublePrecision, integer, text, unique, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/**
 * Requests against a listing's limits, by the hour. `sent` grows before a request goes out, the outcomes after it came back:
 * what is sent and has no outcome is in flight, or was lost with a killed process.
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
    ok: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    refused: integer().notNull().default(0),
    rateLimited: integer().notNull().default(0),
    quota: integer().notNull().default(0),
    denied: integer().notNull().default(0),
    aborted: integer().notNull().default(0),
  },
  (t) => [unique('spend_once_an_hour').on(t.listing, t.hour, t.endpoint, t.region, t.runId).nullsNotDistinct()],
);

/** When the next request to a listing may go out, shared by all processes. In milliseconds of the database's own clock. */
export const listingPace = ops.table('listing_pace', {
  listing: text().primaryKey(),
  nextSlotMs: doublePrecision().notNull().default(0),
  /** When the last requests went out, oldest first: at most as many as the limit's window holds. */
  sentMs: doublePrecision().array().notNull().default([]),
});

/** What a listing has used of its quota in the current period, exact across processes. */
export const listingQuota = ops.table('listing_quota', {
  listing: text().primaryKey(),
  startsAt: instant().notNull(),
  endsAt: instant().notNull(),
  used: bigint({ mode: 'number' }).notNull(),
});

/**
 * The last write of outcomes each process made: one whose answer was lost with its connection is written again under the same
 * number, and so counted once.
 */
export const spendWrite = ops.table('spend_write', {
  writer: uuid().primaryKey(),
  number: integer().notNull(),
  writtenAt: instant().notNull(),
});
