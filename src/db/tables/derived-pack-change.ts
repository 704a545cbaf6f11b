import { date, index, integer, numeric, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { derived } from './schemas.ts';

/** A pack that holds another amount than before, once several certified nights have confirmed it. */
export const derivedPackChange = derived.table(
  'pack_change',
  {
    region: text().notNull(),
    productKey: integer().notNull(),
    /** The product it took the place of; null when the product itself changed. */
    formerProductKey: integer(),
    /** Of the run that saw it first. */
    changedAt: instant().notNull(),
    /** The first certified night that shows it. */
    snapshotDate: date().notNull(),
    /** The certified night by which it was certain. */
    confirmedOn: date().notNull(),
    route: text().notNull(),
    measure: text().notNull(),
    oldSize: numeric().notNull(),
    newSize: numeric().notNull(),
    oldPriceMinor: integer(),
    newPriceMinor: integer(),
    evidence: text().notNull(),
    score: numeric({ precision: 3, scale: 2 }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.productKey, t.snapshotDate] }),
    index('pack_change_by_night').on(t.region, t.confirmedOn),
  ],
);
