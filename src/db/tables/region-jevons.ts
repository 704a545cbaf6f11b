import { bigint, date, doublePrecision, index, integer, primaryKey } from 'drizzle-orm/pg-core';
import { derived } from './schemas.ts';

/**
 * The matches in which a date's prices of both regions are summed up: their number, and the sum of the logarithms of
 * their price ratios.
 */
export const regionJevons = derived.table(
  'region_jevons',
  {
    /** The British product's category of the top level; 0: all products. */
    categoryKey: integer().notNull(),
    snapshotDate: date().notNull(),
    matched: integer().notNull(),
    leftOut: integer().notNull(),
    /**
     * Of ln(Irish price / British price) in units of 1e-12: whole numbers add up to the same in any order, and can be
     * taken out again.
     */
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

/**
 * What the two products of a match cost while both prices stayed the same, on dates with a certified night of both
 * regions. A row a
 * change: pages list the matches of a night by their ratio without asking the histories of each.
 */
export const regionPriceSpell = derived.table(
  'region_price_spell',
  {
    ukProductKey: integer().notNull(),
    ieProductKey: integer().notNull(),
    validFrom: date().notNull(),
    /** The first of those dates on which it was otherwise; null: still so on the last. */
    validTo: date(),
    ukPriceMinor: integer().notNull(),
    iePriceMinor: integer().notNull(),
    /** Irish over British price. */
    ratio: doublePrecision().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.ukProductKey, t.ieProductKey, t.validFrom] }),
    // Read alone, in order, until there are as many of a night as a page shows.
    index('region_price_spell_by_ratio').on(t.ratio, t.ukProductKey, t.ieProductKey, t.validFrom, t.validTo),
    // Those that hold now, and those that a night which is derived again takes back.
    index('region_price_spell_by_end').on(t.validTo),
  ],
);
