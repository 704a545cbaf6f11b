import { integer, jsonb, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/**
 * `ok`; `quota`: the upstream says the quota is used up; `denied`: it refuses the key; `failing`: it answers with nothing but
 * failures. `quota` and `failing` stop every process until `paused_until`, when one request is let through to see; `quota` and
 * `denied` are about a key, and processes with another one go on.
 */
export const listingState = ops.enum('listing_state', ['ok', 'quota', 'denied', 'failing']);

/** How a listing is doing, as all processes see it. Of its keys one-way prints are stored (src/limits/key-print.ts). */
export const listingHealth = ops.table('listing_health', {
  listing: text().primaryKey(),
  host: text().notNull(),
  state: listingState().notNull().default('ok'),
  pausedUntil: instant(),
  /** Failures since the last success, over all processes. */
  failuresInARow: integer().notNull().default(0),
  lastOkAt: instant(),
  lastErrorAt: instant(),
  /** One line, without a key. */
  lastError: text(),
  /** As the upstream's headers said last. */
  quotaLimit: integer(),
  quotaRemaining: integer(),
  quotaResetsAt: instant(),
  quotaSeenAt: instant(),
  /** Print of the key that was told so; null: not known. */
  quotaKey: text(),
  /** When a request was last let through to see whether a used-up quota has been raised. */
  triedAt: instant(),
  /** By its print, each key that was refused: when, until when it is not sent again, and what was said. */
  refusedKeys: jsonb().notNull().default({}),
});
