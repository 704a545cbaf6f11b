import { integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core';
import { detailColumns } from './product-detail.ts';
import { stage } from './schemas.ts';

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
