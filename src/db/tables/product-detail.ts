import { sql } from 'drizzle-orm';
import { check, integer, jsonb, numeric, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { hash16, instant } from './columns.ts';
import { catalog } from './schemas.ts';

/** What a product's own page states. */
export const detailColumns = {
  detailHash: hash16().notNull(),
  description: text(),
  ingredients: text(),
  /** Sorted and distinct. */
  allergens: text().array().notNull(),
  packSize: numeric(),
  packMeasure: text(),
  packCount: smallint(),
  storage: text(),
  gtin: text(),
  /** Deepest category of the page's breadcrumb. */
  leafId: text(),
  catchWeightGrams: integer(),
  charges: jsonb(),
  depositMinor: integer(),
  productType: text(),
  status: text(),
};

/** Details from products' own pages; the open row of a product is the current one. */
export const productDetail = catalog.table(
  'product_detail',
  {
    productKey: integer().notNull(),
    validFrom: instant().notNull(),
    validTo: instant(),
    ...detailColumns,
  },
  (t) => [
    primaryKey({ columns: [t.productKey, t.validFrom] }),
    check('product_detail_interval', sql`valid_to > valid_from`),
  ],
);
