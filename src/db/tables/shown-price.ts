import { sql } from 'drizzle-orm';
import { check, integer, numeric, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';

/**
 * Prices shown while a product was not for sale, if they differ from its last sale price: supermarkets show
 * placeholders. They are not offers, so `price_history` omits them. Null: shown without a price.
 */
export const shownPrice = catalog.table(
  'shown_price',
  {
    productKey: integer().notNull(),
    validFrom: instant().notNull(),
    validTo: instant(),
    priceMinor: integer(),
    unitPrice: numeric({ precision: 14, scale: 4 }),
    unitOfMeasure: text(),
  },
  (t) => [
    primaryKey({ columns: [t.productKey, t.validFrom] }),
    check('shown_price_interval', sql`valid_to > valid_from`),
    check('shown_price_price', sql`price_minor > 0`),
  ],
);
