import { sql } from 'drizzle-orm';
import { check, integer, numeric, text } from 'drizzle-orm/pg-core';
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
  // Its indexes beside the key are made after the first derivation (src/db/functions/index-products.sql).
  () => [check('product_current_price', sql`price_minor > 0`)],
);
