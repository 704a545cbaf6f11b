import { sql } from 'drizzle-orm';
import {
  doublePrecision,
  index,
  integer,
  numeric,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { ListingName } from '../../base/model/index.ts';
import { instant, long } from './columns.ts';
import { ops } from './schemas.ts';

/**
 * State of a listing shared by all processes: its rate, its month and its last response. Reservations lock this row
 * (src/db/functions/reserve.sql).
 */
export const listing = ops.table('listing', {
  listing: text().primaryKey(),
  host: text().notNull(),
  /** Time of the next free slot, in milliseconds of the database's clock. */
  nextSlotMs: doublePrecision().notNull().default(0),
  /** When the first request of the current month was reserved; null: none was. */
  monthStartsAt: instant(),
  monthEndsAt: instant(),
  /** Requests reserved this month. Those that a killed process did not send stay counted. */
  used: long().notNull().default(0),
  /** Path and query of the last request that was answered, without a key: what a probe repeats. */
  lastAnswered: text(),
  /** Fingerprint of the key that was last answered or refused (src/gateway/limits/stops.ts). */
  lastKey: text(),
  lastOkAt: instant(),
  lastErrorAt: instant(),
  /** One line, without a key. */
  lastError: text(),
  /** Quota according to the latest headers. What remains is also lowered by each reservation. */
  quotaLimit: integer(),
  quotaRemaining: integer(),
  quotaResetsAt: instant(),
  quotaSeenAt: instant(),
  /** Fingerprint of the key that received them. */
  quotaKey: text(),
});

/**
 * A move of a listing: processes configured for the old address use the new one. Address and host header change
 * together. The old address is kept for a reversal.
 */
export const listingMove = ops.table(
  'listing_move',
  {
    moveId: integer().primaryKey().generatedAlwaysAsIdentity(),
    listing: text().$type<ListingName>().notNull(),
    fromBaseUrl: text().notNull(),
    fromHost: text().notNull(),
    toBaseUrl: text().notNull(),
    toHost: text().notNull(),
    movedAt: instant().notNull(),
    rolledBackAt: instant(),
    /** Requests that the old subscription had used of its month, and included by its headers; for a refund. */
    unitsUsed: long().notNull().default(0),
    quota: integer(),
  },
  (t) => [
    uniqueIndex('listing_move_in_force').on(t.listing, t.fromBaseUrl, t.fromHost).where(sql`rolled_back_at is null`),
  ],
);

/**
 * `answered`; `denied`: the key is unknown or not subscribed; `missing`: the gateway does not know the host or path;
 * `failed`: no usable answer.
 */
export const probeOutcome = ops.enum('probe_outcome', ['answered', 'denied', 'missing', 'failed']);

/** The last health probe of each listing. */
export const listingProbe = ops.table('listing_probe', {
  listing: text().$type<ListingName>().primaryKey(),
  probedAt: instant().notNull(),
  host: text().notNull(),
  endpoint: text().notNull(),
  outcome: probeOutcome().notNull(),
  /** From the request to the last byte of its answer; null if there was none. */
  latencyMs: integer(),
  /** Error message in one line, without a key. */
  said: text(),
});

/** Scope of a stop: requests with one key, all requests to a listing, or one run. */
export const stopScope = ops.enum('stop_scope', ['key', 'listing', 'run']);

/**
 * Reasons for a key: `key_refused`, `quota_used_up`. For a listing: it is `failing`, was asked `too_fast`, or has
 * `moved`. For a run: its `endpoint` is not in the plan or unknown to the gateway, answers or a step are `broken`, or
 * there is no `room` in the archive or the database.
 */
export const stopReason = ops.enum('stop_reason', [
  'key_refused',
  'quota_used_up',
  'failing',
  'too_fast',
  'endpoint',
  'broken',
  'moved',
  'room',
]);

/**
 * A pause with a scope and a reason. When `until` has passed, one request, the probe, ends or extends it; `probe_until`
 * keeps other processes from probing at the same time.
 */
export const stop = ops.table(
  'stop',
  {
    scope: stopScope().notNull(),
    /** Fingerprint of a key (src/gateway/limits/stops.ts), name of a listing, or id of a run. */
    scopeId: text().notNull(),
    reason: stopReason().notNull(),
    /** Message for the user, without a key. */
    detail: text(),
    since: instant().notNull(),
    /** Null: until a probe ends it. */
    until: instant(),
    /** A process probes until then. */
    probeUntil: instant(),
    /** Failed probes so far; each doubles the next pause. */
    times: smallint().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.scope, t.scopeId] })],
);

/** Requests sent to a listing per hour, written in groups: a killed process loses its last ones. */
export const spend = ops.table(
  'spend',
  {
    listing: text().notNull(),
    endpoint: text().notNull(),
    region: text(),
    runId: integer(),
    hour: instant().notNull(),
    sent: integer().notNull().default(0),
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
 * Requests used in the last minute, hour or day, per piece of the window; pieces that have left the window no longer
 * count.
 */
export const listingWindow = ops.table(
  'listing_window',
  {
    listing: text().notNull(),
    windowMs: long().notNull(),
    /** Number of the piece since 1970, by the database's clock. */
    piece: long().notNull(),
    used: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.listing, t.windowMs, t.piece] })],
);
