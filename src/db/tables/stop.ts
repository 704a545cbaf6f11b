import { primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** What a stop holds back: requests with one key, all requests to a listing, or one run. */
export const stopScope = ops.enum('stop_scope', ['key', 'listing', 'run']);

/**
 * A pause with a scope and a reason. One request, the probe, may go out when `until` has passed, and ends the stop or extends
 * it; `probe_until` keeps other processes from probing at the same time.
 */
export const stop = ops.table(
  'stop',
  {
    scope: stopScope().notNull(),
    /** Print of a key (src/limits/key-print.ts), name of a listing, or id of a run. */
    scopeId: text().notNull(),
    /** Null: a run that waits for something else than a listing. */
    listing: text(),
    /** A code: `key_refused`, `quota_used_up`, `nothing_left` or `failing`. */
    reason: text().notNull(),
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
