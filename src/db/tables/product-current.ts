import { sql } from 'drizzle-orm';
import { check, index, integer, numeric, text } from 'drizzle-orm/pg-core';
import { availability } from './availability-history.ts';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';

/**
 * Current price, offer and availability of a product, each with the run since which it holds. Former values are in
 * `price_history`, `offer_history` and `availability_history`.
 */
export const productCurrent = catalog.table(
  'product_current',
  {
    productKey: integer().primaryKey(),
    priceMinor: integer(),
    loyaltyPriceMinor: integer(),
    availability: availability().notNull(),
    priceSince: instant().notNull(),
    availabilitySince: instant().notNull(),
    /** Null: no promotion is in effect. */
    offerSince: instant(),
    /** When the next promotion of the product begins or ends by its dates. */
    nextTurn: instant(),
    unitPrice: numeric({ precision: 14, scale: 4 }),
    unitOfMeasure: text(),
  },
  (t) => [
    // Same expression as in `marts.product_now`, so that a list ordered by price reads only the rows it shows.
    index('product_current_by_price').using('btree', sql`((price_minor * 0.01)::numeric(12, 2))`),
    index('product_current_by_unit_price').on(t.unitPrice),
    // For changes of a night.
    index('product_current_by_availability').on(t.availabilitySince),
    check('product_current_price', sql`price_minor > 0`),
  ],
);
