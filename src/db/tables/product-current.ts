import { sql } from 'drizzle-orm';
import { check, index, integer, numeric, text } from 'drizzle-orm/pg-core';
import { availability } from './availability-history.ts';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';

/**
 * What a product costs and offers, and whether it can be bought, with the run since which it has been so. What it was
 * before stands in `price_history`, `offer_history` and `availability_history`.
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
    /** When the next promotion that it carries begins or ends by its dates. */
    nextTurn: instant(),
    unitPrice: numeric(),
    unitOfMeasure: text(),
  },
  (t) => [
    // As `marts.product_now` says it: a list in the order of prices reads the rows it shows, not all there are.
    index('product_current_by_price').using('btree', sql`((price_minor * 0.01)::numeric(12, 2))`),
    index('product_current_by_unit_price').on(t.unitPrice),
    // What came and went with a night.
    index('product_current_by_availability').on(t.availabilitySince),
    check('product_current_price', sql`price_minor > 0`),
  ],
);
