import { date, index, integer, numeric, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { derived } from './schemas.ts';

/** A pack whose content has changed, once several certified nights have confirmed it. */
export const derivedPackChange = derived.table(
  'pack_change',
  {
    region: text().notNull(),
    productKey: integer().notNull(),
    /** The product that it replaced; null if the product itself changed. */
    formerProductKey: integer(),
    /** Instant of the run that saw it first. */
    changedAt: instant().notNull(),
    /** First certified night that shows it. */
    snapshotDate: date().notNull(),
    /** Certified night that confirmed it. */
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
