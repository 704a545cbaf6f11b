import { boolean, integer, jsonb, numeric, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { hash16, long } from './columns.ts';
import { detailColumns, listedColumns } from './products.ts';
import { promotionColumns } from './promotions.ts';
import { stage } from './schemas.ts';

/** The taxonomy of an unfinished run. */
export const stageCategory = stage.table(
  'category',
  {
    runId: integer().notNull(),
    /** Rank of `category_id` in byte order. */
    categoryNo: integer().notNull(),
    categoryId: text().notNull(),
    parentNo: integer(),
    name: text().notNull(),
    label: text().notNull(),
    depth: smallint().notNull(),
    path: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.categoryNo] })],
);

/** A product as shown on a page of an unfinished run; only if it is new or differs from the catalogue. */
export const stageProduct = stage.table('product', {
  runId: integer().notNull(),
  categoryNo: integer().notNull(),
  pageNo: integer().notNull(),
  attemptNo: smallint().notNull(),
  position: smallint().notNull(),
  productId: text().notNull(),
  /** Null: new to the catalogue. */
  productKey: integer(),
  entryHash: hash16().notNull(),
  /** Null, also for the sale flag, if it could not be parsed. */
  title: text(),
  ...listedColumns,
  isForSale: boolean(),
  priceMinor: integer(),
  unitPrice: numeric({ precision: 14, scale: 4 }),
  unitOfMeasure: text(),
  /** Deepest breadcrumb category: its rank in the run's taxonomy, or its id if the taxonomy lacks it. */
  leafNo: integer(),
  leafId: text(),
  /** Listed here although its breadcrumb does not pass through this category. */
  isExtra: boolean().notNull(),
  promotionHashes: hash16().array(),
});

/** Promotions of new and changed products in an unfinished run. */
export const stagePromotion = stage.table(
  'promotion',
  {
    runId: integer().notNull(),
    ...promotionColumns,
  },
  (t) => [primaryKey({ columns: [t.runId, t.promotionHash] })],
);

/** Product details of an unfinished run. */
export const stageDetail = stage.table(
  'detail',
  {
    runId: integer().notNull(),
    productId: text().notNull(),
    ...detailColumns,
    /** The nutrition table: a list of `NutritionValue`. */
    nutrition: jsonb().notNull(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.productId] })],
);

/** Stores that an open run has found, with the columns of `catalog.store`. */
export const stageStore = stage.table(
  'store',
  {
    runId: integer().notNull(),
    storeId: text().notNull(),
    /** First of the circles that found it, so that the order of arrival does not matter. */
    unitId: long().notNull(),
    record: jsonb().notNull(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.storeId] })],
);
