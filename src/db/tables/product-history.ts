import { sql } from 'drizzle-orm';
import { check, integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';

/** Former versions of products; the current one is in `product`. */
export const productHistory = catalog.table(
  'product_history',
  {
    productKey: integer().notNull(),
    validFrom: instant().notNull(),
    validTo: instant().notNull(),
    tpnb: text(),
    gtin: text(),
    title: text().notNull(),
    brand: text(),
    imageUrl: text(),
    seller: text(),
    catchWeightGrams: integer(),
    charges: jsonb(),
    depositMinor: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.productKey, t.validFrom] }),
    check('product_history_interval', sql`valid_to > valid_from`),
  ],
);
