import { integer, jsonb, numeric, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { hash16 } from './columns.ts';
import { stage } from './schemas.ts';

/** Product details of an unfinished run. */
export const stageDetail = stage.table(
  'detail',
  {
    runId: integer().notNull(),
    productId: text().notNull(),
    detailHash: hash16().notNull(),
    description: text(),
    ingredients: text(),
    allergens: text().array().notNull(),
    packSize: numeric(),
    packMeasure: text(),
    packCount: smallint(),
    storage: text(),
    gtin: text(),
    /** Deepest category of the breadcrumb. */
    leafId: text(),
    catchWeightGrams: integer(),
    charges: jsonb(),
    depositMinor: integer(),
    productType: text(),
    status: text(),
    /** The nutrition table: a list of `NutritionValue`. */
    nutrition: jsonb().notNull(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.productId] })],
);
