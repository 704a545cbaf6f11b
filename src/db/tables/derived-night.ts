import { date, integer, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { derived } from './schemas.ts';

/** Certified nights that all derivations have processed, and the run they used. */
export const derivedNight = derived.table(
  'night',
  {
    region: text().notNull(),
    snapshotDate: date().notNull(),
    runId: integer().notNull(),
    /** Version of the derivation rules; nights with an older version are derived again. */
    rules: smallint().notNull(),
  },
  (t) => [primaryKey({ columns: [t.region, t.snapshotDate] })],
);
