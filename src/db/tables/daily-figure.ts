import { bigint, date, doublePrecision, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { derived } from './schemas.ts';

/**
 * What a category, or with `category_key` 0 the whole region, was on a certified night. All but `products_listed` is
 * about products with a price.
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
    /** Sum over products with a loyalty price of how far it is below the price, in percent of the price. */
    loyaltyDiscountPctSum: doublePrecision().notNull(),
    /** Against the certified night before; null where there is none. */
    arrivals: integer(),
    departures: integer(),
    priceIncreases: integer(),
    priceDecreases: integer(),
  },
  (t) => [primaryKey({ columns: [t.region, t.categoryKey, t.snapshotDate] })],
);
