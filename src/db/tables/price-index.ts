import { date, doublePrecision, integer, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { bytes } from './columns.ts';
import { derived } from './schemas.ts';

/**
 * Price indices of a category, or with `category_key` 0 of the whole region, in a period; 100 in the period of
 * `base_start`. Null if nothing can be compared.
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
    /** Number of certified nights in the period and in the base period. */
    nights: smallint().notNull(),
    baseNights: smallint().notNull(),
    /** Positions: src/followers/derive/price-index/index-rows.ts. */
    values: doublePrecision().array().notNull(),
    counts: integer().array().notNull(),
    /** Compared with the previous period; null if there is none. */
    arrivals: integer(),
    departures: integer(),
    /** Last night of the derivation that wrote the row. */
    derivedOn: date().notNull(),
  },
  (t) => [primaryKey({ columns: [t.region, t.period, t.categoryKey, t.periodStart] })],
);

/** Prices of all products in a period, packed: the periods that an index still compares with. */
export const periodPanel = derived.table(
  'period_panel',
  {
    region: text().notNull(),
    period: text().notNull(),
    periodStart: date().notNull(),
    /** Last night of the period so far. */
    throughDate: date().notNull(),
    /** Null once the period has left the window. */
    panel: bytes(),
    /** For a base period: products of the categories that use it as base. */
    basePanel: bytes(),
    /** Jevons indices by category from the earlier periods of its window. Null if the panel is. */
    links: bytes(),
  },
  (t) => [primaryKey({ columns: [t.region, t.period, t.periodStart] })],
);
