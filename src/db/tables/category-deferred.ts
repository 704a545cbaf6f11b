import { date, foreignKey, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { run } from './run.ts';
import { ops } from './schemas.ts';

/** A frontier category that a run defers to another night because of its limits. */
export const categoryDeferred = ops.table(
  'category_deferred',
  {
    runId: integer().notNull(),
    categoryId: text().notNull(),
    /** Estimated number of pages. */
    pages: integer().notNull(),
    /** Last night that read it completely; null: never. */
    lastReadOn: date(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.categoryId] }),
    foreignKey({ columns: [t.runId], foreignColumns: [run.runId] }).onDelete('cascade'),
  ],
);
