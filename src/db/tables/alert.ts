import { sql } from 'drizzle-orm';
import { bigint, index, integer, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** What a person should know of, from when it began until it was over. */
export const alert = ops.table(
  'alert',
  {
    alertId: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** As docs/operate/alerts.md names them: `night_partial`, `quota_80`, … */
    kind: text().notNull(),
    /** What it is about: a region and night, a listing, a place. One alert of a kind and subject stands at a time. */
    subject: text().notNull(),
    /** One line: what happened and what it means. */
    says: text().notNull(),
    /** One line: what to do. */
    advice: text().notNull(),
    raisedAt: instant().notNull(),
    /** When it was last told, or put down to be. */
    toldAt: instant().notNull(),
    /** Null: it stands. */
    overAt: instant(),
  },
  (t) => [uniqueIndex('alert_one_open').on(t.kind, t.subject).where(sql`over_at is null`)],
);

export const alertEvent = ops.enum('alert_event', ['raised', 'reminder', 'over']);

/** One message to the webhook. It is sent until it was taken, so it may arrive twice, with the same number. */
export const alertDelivery = ops.table(
  'alert_delivery',
  {
    deliveryId: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    alertId: bigint({ mode: 'number' })
      .notNull()
      .references(() => alert.alertId),
    event: alertEvent().notNull(),
    createdAt: instant().notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: instant().notNull(),
    /** Null: not yet taken. */
    deliveredAt: instant(),
    /** What went wrong last, in a line without the address. */
    lastError: text(),
  },
  (t) => [index('alert_delivery_owed').on(t.alertId, t.deliveryId).where(sql`delivered_at is null`)],
);
