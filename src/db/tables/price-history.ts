import { sql } from 'drizzle-orm';
import { check, index, integer, numeric, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';

/**
 * Ended spells of a product's price; null if it was listed without one. The current price is in `product_current`; both
 * together are the view `price_spell`.
 */
export const priceHistory = catalog.table(
  'price_history',
  {
    productKey: integer().notNull(),
    priceMinor: integer(),
    validFrom: instant().notNull(),
    validTo: instant().notNull(),
    unitPrice: numeric({ precision: 14, scale: 4 }),
    unitOfMeasure: text(),
  },
  (t) => [
    primaryKey({ columns: [t.productKey, t.validFrom] }),
    // BRIN stays small, because rows are written in the order in which they end.
    index('price_history_by_end').using('brin', t.validTo),
    check('price_history_interval', sql`valid_to > valid_from`),
    check('price_history_price', sql`price_minor > 0`),
  ],
);
