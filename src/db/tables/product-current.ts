import { sql } from 'drizzle-orm';
import { boolean, index, integer, numeric, text } from 'drizzle-orm/pg-core';
import { availability } from './availability-history.ts';
import { catalog } from './schemas.ts';

/**
 * The open rows of a product's histories side by side: the last night is read from here, without passing over the versions
 * of all nights before it.
 */
export const productCurrent = catalog.table(
  'product_current',
  {
    productKey: integer().primaryKey(),
    priceMinor: integer(),
    loyaltyPriceMinor: integer(),
    availability: availability().notNull(),
    isOnPromotion: boolean().notNull(),
    unitPrice: numeric(),
    unitOfMeasure: text(),
  },
  (t) => [
    // As `marts.product_now` says it: a list in the order of prices reads the rows it shows, not all there are.
    index('product_current_by_price').using('btree', sql`((price_minor * 0.01)::numeric(12, 2))`),
    index('product_current_by_unit_price').on(t.unitPrice),
  ],
);
