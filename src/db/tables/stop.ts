import { primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** Scope of a stop: requests with one key, all requests to a listing, or one run. */
export const stopScope = ops.enum('stop_scope', ['key', 'listing', 'run']);

/**
 * Reasons for a key: `key_refused`, `quota_used_up`, `nothing_left` (according to headers). For a listing: `failing`.
 * For a run: a refused key, a `limit`, the `upstream`, an address that `moved`, `room`: a disk, the archive or the
 * database takes nothing, a pause after a `failure`, or `idle`: interrupted long ago.
 */
export const stopReason = ops.enum('stop_reason', [
  'key_refused',
  'quota_used_up',
  'nothing_left',
  'failing',
  'limit',
  'upstream',
  'moved',
  'room',
  'failure',
  'idle',
]);

/**
 * A pause with a scope and a reason. When `until` has passed, one request, the probe, ends or extends it; `probe_until`
 * keeps other processes from probing at the same time.
 */
export const stop = ops.table(
  'stop',
  {
    scope: stopScope().notNull(),
    /** Fingerprint of a key (src/gateway/limits/key-print.ts), name of a listing, or id of a run. */
    scopeId: text().notNull(),
    /** Null for a run. */
    listing: text(),
    reason: stopReason().notNull(),
    /** Message for the user, without a key. */
    detail: text(),
    since: instant().notNull(),
    /** Null: until a probe ends it. */
    until: instant(),
    probedAt: instant(),
    probeUntil: instant(),
  },
  (t) => [primaryKey({ columns: [t.scope, t.scopeId] })],
);
