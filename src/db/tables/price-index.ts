import { date, doublePrecision, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytes } from './columns.ts';
import { derived } from './schemas.ts';

/**
 * Price indices of a category, or with `category_key` 0 of the whole region, in one period; 100 in the period of
 * `base_start`. Null where nothing can be compared.
 */
export const priceIndex = derived.table(
  'price_index',
  {
    region: text().notNull(),
    /** `day`, `week` (from Monday) or `month`. */
    period: text().notNull(),
    categoryKey: integer().notNull(),
    periodStart: date().notNull(),
    baseStart: date().notNull(),
    chainedShelf: doublePrecision(),
    chainedMember: doublePrecision(),
    fixedShelf: doublePrecision(),
    fixedMember: doublePrecision(),
    geksShelf: doublePrecision(),
    geksMember: doublePrecision(),
    meanShelf: doublePrecision(),
    meanMember: doublePrecision(),
    /** Products with a price in the period. */
    priced: integer().notNull(),
    /**
     * Of those also in the period the chain was linked to, and in the base period: relatives used, and left out as
     * outliers.
     */
    matchedShelf: integer().notNull(),
    matchedMember: integer().notNull(),
    outliersShelf: integer().notNull(),
    outliersMember: integer().notNull(),
    fixedMatchedShelf: integer().notNull(),
    fixedMatchedMember: integer().notNull(),
    /** Against the period before; null where there is none. */
    arrivals: integer(),
    departures: integer(),
    /** The last night of the derivation that wrote it; null: before this was kept. */
    derivedOn: date(),
  },
  (t) => [primaryKey({ columns: [t.region, t.period, t.categoryKey, t.periodStart] })],
);

/** What every product cost in a period, packed: the periods an index still compares with. */
export const periodPanel = derived.table(
  'period_panel',
  {
    region: text().notNull(),
    period: text().notNull(),
    periodStart: date().notNull(),
    /** The last night in it. */
    throughDate: date().notNull(),
    /** Null once the period has left the window. */
    panel: bytes(),
    /** Of a base period: the products of the categories whose base it is. */
    basePanel: bytes(),
    /** Jevons indices by category from the earlier periods of its window. Null with the panel. */
    links: bytes(),
  },
  (t) => [primaryKey({ columns: [t.region, t.period, t.periodStart] })],
);
