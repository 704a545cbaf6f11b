import { bigint, date, integer, primaryKey } from 'drizzle-orm/pg-core';
import { derived } from './schemas.ts';

/** The matches in which a date's prices of both regions are summed up: their number, and the sum of the logarithms of their price ratios. */
export const regionJevons = derived.table(
  'region_jevons',
  {
    /** The British product's category of the top level; 0: all products. */
    categoryKey: integer().notNull(),
    snapshotDate: date().notNull(),
    matched: integer().notNull(),
    leftOut: integer().notNull(),
    /** Of ln(Irish price / British price) in units of 1e-12: whole numbers add up to the same in any order, and can be taken out again. */
    logSum: bigint({ mode: 'bigint' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.categoryKey, t.snapshotDate] })],
);

/** The matches that are counted in `region_jevons`. */
export const comparedPair = derived.table(
  'compared_pair',
  { ukProductKey: integer().notNull(), ieProductKey: integer().notNull() },
  (t) => [primaryKey({ columns: [t.ukProductKey, t.ieProductKey] })],
);
