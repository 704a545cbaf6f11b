import { integer, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/**
 * `ok`; `quota`: the upstream says the quota is used up; `denied`: it refuses the key; `failing`: it answers with nothing but
 * failures. All but `ok` stop every process until `paused_until`, when one request is let through to see.
 */
export const listingState = ops.enum('listing_state', ['ok', 'quota', 'denied', 'failing']);

/** How a listing is doing, as all processes see it. Nothing of its key is stored. */
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
});
