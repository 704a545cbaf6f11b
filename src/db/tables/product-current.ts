import { boolean, integer, numeric, text } from 'drizzle-orm/pg-core';
import { availability } from './availability-history.ts';
import { catalog } from './schemas.ts';

/**
 * The open rows of a product's histories side by side: the last night is read from here, without passing over the versions
 * of all nights before it.
 */
export const productCurrent = catalog.table('product_current', {
  productKey: integer().primaryKey(),
  priceMinor: integer(),
  loyaltyPriceMinor: integer(),
  availability: availability().notNull(),
  isOnPromotion: boolean().notNull(),
  unitPrice: numeric(),
  unitOfMeasure: text(),
});
