import { primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** What a stop holds back: requests with one key, all requests to a listing, or one run. */
export const stopScope = ops.enum('stop_scope', ['key', 'listing', 'run']);

/**
 * Of a key: `key_refused`; `quota_used_up`; `nothing_left`: the headers say so. Of a listing: `failing`. Of a run, what
 * it waits for: a key, a `limit`, the `upstream`, an address that `moved`, a person after `drift`, `room` on a disk or
 * in the database, a rest after a `failure`, or, cut off long ago, anybody who works on it (`idle`).
 */
export const stopReason = ops.enum('stop_reason', [
  'key_refused',
  'quota_used_up',
  'nothing_left',
  'failing',
  'limit',
  'upstream',
  'moved',
  'drift',
  'room',
  'failure',
  'idle',
]);

/**
 * A pause with a scope and a reason. One request, the probe, may go out when `until` has passed, and ends the stop or
 * extends it; `probe_until` keeps other processes from probing at the same time.
 */
export const stop = ops.table(
  'stop',
  {
    scope: stopScope().notNull(),
    /** Print of a key (src/gateway/limits/key-print.ts), name of a listing, or id of a run. */
    scopeId: text().notNull(),
    /** Null: of a run. */
    listing: text(),
    reason: stopReason().notNull(),
    /** For people, without a key. */
    detail: text(),
    since: instant().notNull(),
    /** Null: until a probe ends it. */
    until: instant(),
    probedAt: instant(),
    probeUntil: instant(),
  },
  (t) => [primaryKey({ columns: [t.scope, t.scopeId] })],
);
