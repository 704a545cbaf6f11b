import { sql } from 'drizzle-orm';
import { bigint, index, integer, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** An alert for the user, from its beginning to its end. */
export const alert = ops.table(
  'alert',
  {
    alertId: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** As in docs/operate/alerts.md: `night_partial`, `quota_80`, … */
    kind: text().notNull(),
    /** Subject: a region and night, a listing, or a place. At most one alert per kind and subject is active. */
    subject: text().notNull(),
    /** One line: what happened and what it means. */
    says: text().notNull(),
    /** One line: what to do. */
    advice: text().notNull(),
    raisedAt: instant().notNull(),
    /** When it was last sent or queued. */
    toldAt: instant().notNull(),
    /** Null: still active. */
    overAt: instant(),
  },
  (t) => [uniqueIndex('alert_one_open').on(t.kind, t.subject).where(sql`over_at is null`)],
);

export const alertEvent = ops.enum('alert_event', ['raised', 'reminder', 'over']);

/** One message to the webhook. It is sent until it is accepted, so it may arrive twice with the same number. */
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
    /** Null: not accepted yet. */
    deliveredAt: instant(),
    /** Last delivery error in one line, without the address. */
    lastError: text(),
  },
  (t) => [index('alert_delivery_owed').on(t.alertId, t.deliveryId).where(sql`delivered_at is null`)],
);
