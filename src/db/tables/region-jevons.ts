import { bigint, date, doublePrecision, index, integer, primaryKey } from 'drizzle-orm/pg-core';
import { derived } from './schemas.ts';

/** Number of matches on a date, and the sum of the logarithms of their price ratios. */
export const regionJevons = derived.table(
  'region_jevons',
  {
    /** Top-level category of the British product; 0: all products. */
    categoryKey: integer().notNull(),
    snapshotDate: date().notNull(),
    matched: integer().notNull(),
    leftOut: integer().notNull(),
    /**
     * Sum of ln(Irish price / British price) in units of 1e-12. Integers add up exactly in any order and can be
     * subtracted again.
     */
    logSum: bigint({ mode: 'bigint' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.categoryKey, t.snapshotDate] })],
);

/** The matches counted in `region_jevons`. */
export const comparedPair = derived.table(
  'compared_pair',
  { ukProductKey: integer().notNull(), ieProductKey: integer().notNull() },
  (t) => [primaryKey({ columns: [t.ukProductKey, t.ieProductKey] })],
);

/**
 * Prices of both products of a match while both stayed the same, on dates with a certified night of both regions. One
 * row per change, so that pages can list a night's matches by ratio without reading price histories.
 */
export const regionPriceSpell = derived.table(
  'region_price_spell',
  {
    ukProductKey: integer().notNull(),
    ieProductKey: integer().notNull(),
    validFrom: date().notNull(),
    /** First such date with another price; null: still the same on the last one. */
    validTo: date(),
    ukPriceMinor: integer().notNull(),
    iePriceMinor: integer().notNull(),
    /** Irish divided by British price. */
    ratio: doublePrecision().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.ukProductKey, t.ieProductKey, t.validFrom] }),
    // For index-only scans in order of the ratio.
    index('region_price_spell_by_ratio').on(t.ratio, t.ukProductKey, t.ieProductKey, t.validFrom, t.validTo),
    // For current spells, and for spells that a repeated derivation reverts.
    index('region_price_spell_by_end').on(t.validTo),
  ],
);
