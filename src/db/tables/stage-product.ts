import { boolean, integer, jsonb, numeric, smallint, text } from 'drizzle-orm/pg-core';
import { hash16 } from './columns.ts';
import { stage } from './schemas.ts';

/** A product as shown on a page of an unfinished run; only if it is new or differs from the catalogue. */
export const stageProduct = stage.table('product', {
  runId: integer().notNull(),
  categoryNo: integer().notNull(),
  pageNo: integer().notNull(),
  reading: smallint().notNull(),
  position: smallint().notNull(),
  productId: text().notNull(),
  /** Null: new to the catalogue. */
  productKey: integer(),
  entryHash: hash16().notNull(),
  tpnb: text(),
  gtin: text(),
  /** Null, also for the sale flag, if it could not be parsed. */
  title: text(),
  brand: text(),
  imageUrl: text(),
  isForSale: boolean(),
  priceMinor: integer(),
  unitPrice: numeric({ precision: 14, scale: 4 }),
  unitOfMeasure: text(),
  seller: text(),
  catchWeightGrams: integer(),
  charges: jsonb(),
  depositMinor: integer(),
  /** Deepest breadcrumb category: its rank in the run's taxonomy, or its id if the taxonomy lacks it. */
  leafNo: integer(),
  leafId: text(),
  /** Listed here although its breadcrumb does not pass through this category. */
  isExtra: boolean().notNull(),
  promotionHashes: hash16().array(),
});
