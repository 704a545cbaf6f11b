import { integer, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
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
