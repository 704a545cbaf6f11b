import { date, index, integer, jsonb, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/**
 * What the payloads of a run were like, by endpoint: which paths a sample of them had, of which types and ranges, and
 * what was read of it.
 */
export const payloadProfile = ops.table(
  'payload_profile',
  {
    runId: integer().notNull(),
    endpoint: text().notNull(),
    region: text().notNull(),
    snapshotDate: date().notNull(),
    /** Payloads of the sample. */
    payloads: integer().notNull(),
    profile: jsonb().notNull(),
    /** Of the rules it was taken by; those of other rules are not compared. */
    rules: smallint().notNull(),
    takenAt: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.endpoint] }),
    index('payload_profile_by_night').on(t.region, t.snapshotDate),
  ],
);
