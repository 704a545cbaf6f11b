import { date, integer, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { derived } from './schemas.ts';

/** Certified nights from which everything that follows has been derived, and by which run of theirs. */
export const derivedNight = derived.table(
  'night',
  {
    region: text().notNull(),
    snapshotDate: date().notNull(),
    runId: integer().notNull(),
    /** Of the rules it was derived by; nights of older rules are derived again. */
    rules: smallint().notNull(),
  },
  (t) => [primaryKey({ columns: [t.region, t.snapshotDate] })],
);
