import { bigint, date, doublePrecision, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { derived } from './schemas.ts';

/**
 * Figures of a category, or with `category_key` 0 of the whole region, on a certified night. All except
 * `products_listed` count only products with a price.
 */
export const dailyFigure = derived.table(
  'daily_figure',
  {
    region: text().notNull(),
    categoryKey: integer().notNull(),
    snapshotDate: date().notNull(),
    productsListed: integer().notNull(),
    productsPriced: integer().notNull(),
    productsAvailable: integer().notNull(),
    productsOnPromotion: integer().notNull(),
    productsWithLoyaltyPrice: integer().notNull(),
    priceSumMinor: bigint({ mode: 'number' }).notNull(),
    /** Twice the median, which may lie between two prices. */
    medianPriceDoubled: bigint({ mode: 'number' }),
    /** Sum of the loyalty discounts, in percent of the price, over products with a loyalty price. */
    loyaltyDiscountPctSum: doublePrecision().notNull(),
    /** Compared with the previous certified night; null if there is none. */
    arrivals: integer(),
    departures: integer(),
    priceIncreases: integer(),
    priceDecreases: integer(),
  },
  (t) => [primaryKey({ columns: [t.region, t.categoryKey, t.snapshotDate] })],
);
