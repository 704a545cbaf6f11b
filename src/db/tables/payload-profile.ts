import { date, index, integer, jsonb, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** Statistics of a run's payloads by endpoint: paths, types and ranges in a sample, and the values parsed from it. */
export const payloadProfile = ops.table(
  'payload_profile',
  {
    runId: integer().notNull(),
    endpoint: text().notNull(),
    region: text().notNull(),
    snapshotDate: date().notNull(),
    /** Payloads in the sample. */
    payloads: integer().notNull(),
    profile: jsonb().notNull(),
    /** Version of the profiling rules; profiles with different versions are not compared. */
    rules: smallint().notNull(),
    takenAt: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.endpoint] }),
    index('payload_profile_by_night').on(t.region, t.snapshotDate),
  ],
);
