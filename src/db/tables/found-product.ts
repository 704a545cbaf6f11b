import { boolean, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';

/** A product that a search showed before any night listed it. It is not in the catalogue, which only nights write. */
export const foundProduct = catalog.table(
  'found_product',
  {
    region: text().notNull(),
    productId: text().notNull(),
    /** The search that showed it first. */
    keyword: text().notNull(),
    title: text().notNull(),
    brand: text(),
    tpnb: text(),
    gtin: text(),
    imageUrl: text(),
    isForSale: boolean().notNull(),
    priceMinor: integer(),
    firstFoundAt: instant().notNull(),
    lastFoundAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.region, t.productId] })],
);
