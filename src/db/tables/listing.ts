import { bigint, doublePrecision, integer, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/**
 * A listing as all processes share it: its pace, its month, and what it last answered. Whoever reserves requests locks
 * this row (src/db/functions/reserve.sql).
 */
export const listing = ops.table('listing', {
  listing: text().primaryKey(),
  host: text().notNull(),
  /** When the next request may go out, in milliseconds of the database's clock. */
  nextSlotMs: doublePrecision().notNull().default(0),
  /** The process that reserved the last slots, and how late it may use them: another process starts that much later. */
  slotHolder: uuid(),
  slotGuardMs: doublePrecision().notNull().default(0),
  /** The current month of the subscription; null: nothing was reserved yet. */
  monthStartsAt: instant(),
  monthEndsAt: instant(),
  /** The configured limit of the month; null: none. */
  monthLimit: bigint({ mode: 'number' }),
  /** Units reserved in the month. What a killed process did not send stays counted. */
  used: bigint({ mode: 'number' }).notNull().default(0),
  /** Units that the upstream's headers count beyond ours: another user of the same key. */
  usedByOthers: bigint({ mode: 'number' }).notNull().default(0),
  /** Units of the month before: what is asked as a month turns may be counted in either. */
  usedBefore: bigint({ mode: 'number' }).notNull().default(0),
  /** Units reserved shortly before the month ends, which may be counted in the next. */
  usedAtEnd: bigint({ mode: 'number' }).notNull().default(0),
  /** Print of the key that was answered or refused last (src/gateway/limits/key-print.ts). */
  lastKey: text(),
  /** Failures since the last success, over all processes. */
  failuresInARow: integer().notNull().default(0),
  lastOkAt: instant(),
  lastErrorAt: instant(),
  /** One line, without a key. */
  lastError: text(),
  /** The quota as the upstream's headers said last. */
  quotaLimit: integer(),
  quotaRemaining: integer(),
  quotaResetsAt: instant(),
  quotaSeenAt: instant(),
  /** Print of the key that was told so. */
  quotaKey: text(),
});
