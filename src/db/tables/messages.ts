import { sql } from 'drizzle-orm';
import { index, integer, jsonb, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { hash16, instant, long } from './columns.ts';
import { ops } from './schemas.ts';

/** An alert for the user, from its beginning to its end. */
export const alert = ops.table(
  'alert',
  {
    alertId: long().primaryKey().generatedAlwaysAsIdentity(),
    /** As in docs/operate/alerts.md: `night_partial`, `quota_80`, … */
    kind: text().notNull(),
    /** Subject: a region and night, a listing, or a place. At most one alert per kind and subject is active. */
    subject: text().notNull(),
    /** One line: what happened and what it means. */
    message: text().notNull(),
    /** One line: what to do. */
    advice: text().notNull(),
    raisedAt: instant().notNull(),
    /** When a message about it was last added. */
    notifiedAt: instant().notNull(),
    /** Null: still active. */
    endedAt: instant(),
  },
  (t) => [uniqueIndex('alert_one_open').on(t.kind, t.subject).where(sql`ended_at is null`)],
);

/** Messages to ALERT_URL. Each is sent until it is accepted, so it may arrive twice with the same number. */
export const outbox = ops.table(
  'outbox',
  {
    messageId: long().primaryKey().generatedAlwaysAsIdentity(),
    /** Messages about one subject are sent in order. */
    subject: text().notNull(),
    text: text().notNull(),
    fields: jsonb().notNull(),
    createdAt: instant().notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: instant().notNull(),
    /** When the receiver accepted it; null: not yet. */
    sentAt: instant(),
    /** Last delivery error in one line, without the address. */
    lastError: text(),
  },
  (t) => [index('outbox_due').on(t.subject, t.messageId).where(sql`sent_at is null`)],
);

/** A saved question whose new rows are sent after each certified night. */
export const watch = ops.table('watch', {
  name: text().primaryKey(),
  question: text().notNull(),
  /** Options as typed, by name. */
  parameters: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
  createdAt: instant().notNull(),
  /** Change key of the derived nights when it was last asked. */
  changeSeq: long().notNull(),
  /** Why it could not be asked; null: it could. */
  lastError: text(),
});

/** Rows that a watch has seen: they are not sent again, whatever happens to their nights. */
export const watchRow = ops.table(
  'watch_row',
  {
    name: text()
      .notNull()
      .references(() => watch.name, { onDelete: 'cascade' }),
    /** Hash of the values of the question's key. */
    rowHash: hash16().notNull(),
  },
  (t) => [primaryKey({ columns: [t.name, t.rowHash] })],
);
