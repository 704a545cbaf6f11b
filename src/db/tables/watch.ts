import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  date,
  index,
  integer,
  jsonb,
  numeric,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** A rule of a named list: its events are told from the first night that is published after it was added. */
export const watch = ops.table(
  'watch',
  {
    watchId: uuid().primaryKey().defaultRandom(),
    list: text().notNull(),
    region: text().notNull(),
    productKey: integer().notNull(),
    /** As in `marts.watch_events`. */
    rule: text().notNull(),
    /** For `below`. */
    amount: numeric({ precision: 12, scale: 2 }),
    createdAt: instant().notNull(),
    /** User named by a reverse proxy; null: unknown. */
    createdBy: text(),
  },
  (t) => [
    uniqueIndex('watch_once').on(t.list, t.productKey, t.rule, sql`coalesce(amount, 0)`),
    check('watch_rule', sql`rule in ('below', 'lowest', 'back', 'shrank', 'discount')`),
    check('watch_amount', sql`(rule = 'below') = (amount is not null)`),
  ],
);

/** Nights whose events have been collected; a released or replayed night stays here, so that nothing is told twice. */
export const watchNight = ops.table(
  'watch_night',
  { region: text().notNull(), snapshotDate: date().notNull(), collectedAt: instant().notNull() },
  (t) => [primaryKey({ columns: [t.region, t.snapshotDate] })],
);

/** Events of a list on a night, as one message. */
export const watchMessage = ops.table(
  'watch_message',
  {
    messageId: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    list: text().notNull(),
    region: text().notNull(),
    snapshotDate: date().notNull(),
    /** List of events with the fields of `marts.watch_event`. */
    events: jsonb().notNull(),
    createdAt: instant().notNull(),
    attempts: integer().notNull().default(0),
    /** Null: there was no receiver when it was written, so that it is for feeds only. */
    nextAttemptAt: instant(),
    /** When the receiver accepted it; null: not yet. */
    sentAt: instant(),
    /** Last delivery error in one line, without the address. */
    lastError: text(),
  },
  (t) => [
    uniqueIndex('watch_message_once').on(t.list, t.region, t.snapshotDate),
    index('watch_message_owed').on(t.messageId).where(sql`sent_at is null and next_attempt_at is not null`),
  ],
);

/** Mailboxes that get the messages of a list instead of those in ALERT_URL. */
export const watchMailbox = ops.table('watch_mailbox', { list: text().primaryKey(), address: text().notNull() });
