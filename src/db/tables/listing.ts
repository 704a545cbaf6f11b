import { bigint, doublePrecision, integer, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
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
  /** The process that reserved the last slots, and how late it may use them: another process starts that much later. */
  slotHolder: uuid(),
  slotGuardMs: doublePrecision().notNull().default(0),
  /** Current month of the subscription; null: nothing was reserved yet. */
  monthStartsAt: instant(),
  monthEndsAt: instant(),
  /** Configured monthly limit; null: none. */
  monthLimit: bigint({ mode: 'number' }),
  /** Units reserved this month. Units that a killed process did not use stay counted. */
  used: bigint({ mode: 'number' }).notNull().default(0),
  /** Units that the upstream's headers count beyond ours: another user of the same key. */
  usedByOthers: bigint({ mode: 'number' }).notNull().default(0),
  /** Units of the previous month: requests around the turn of the month may count in either. */
  usedBefore: bigint({ mode: 'number' }).notNull().default(0),
  /** Units reserved shortly before the end of the month, which may count in the next. */
  usedAtEnd: bigint({ mode: 'number' }).notNull().default(0),
  /** Fingerprint of the key that was last answered or refused (src/gateway/limits/key-print.ts). */
  lastKey: text(),
  /** Consecutive failures over all processes. */
  failuresInARow: integer().notNull().default(0),
  lastOkAt: instant(),
  lastErrorAt: instant(),
  /** One line, without a key. */
  lastError: text(),
  /** Quota according to the latest headers. */
  quotaLimit: integer(),
  quotaRemaining: integer(),
  quotaResetsAt: instant(),
  quotaSeenAt: instant(),
  /** Fingerprint of the key that received them. */
  quotaKey: text(),
});
