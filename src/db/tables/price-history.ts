import { sql } from 'drizzle-orm';
import { check, index, integer, numeric, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';

/** What a product cost, from when to when. A null price is a product that was listed without one. */
export const priceHistory = catalog.table(
  'price_history',
  {
    productKey: integer().notNull(),
    priceMinor: integer(),
    validFrom: instant().notNull(),
    validTo: instant(),
    unitPrice: numeric(),
    unitOfMeasure: text(),
  },
  (t) => [
    primaryKey({ columns: [t.productKey, t.validFrom] }),
    // What a night changed. No BRIN: rows that are closed move, and leave room to later ones anywhere in the table.
    index('price_history_by_time').on(t.validFrom),
    check('price_history_interval', sql`valid_to > valid_from`),
    check('price_history_price', sql`price_minor > 0`),
  ],
);
