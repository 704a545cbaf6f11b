import { date, foreignKey, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { run } from './run.ts';
import { ops } from './schemas.ts';

/** A category of its frontier that a run did not ask for, because the limits did not reach: another night's turn. */
export const categoryDeferred = ops.table(
  'category_deferred',
  {
    runId: integer().notNull(),
    categoryId: text().notNull(),
    /** Pages it is taken to have. */
    pages: integer().notNull(),
    /** Night on which it was last read whole; null: never. */
    lastReadOn: date(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.categoryId] }),
    foreignKey({ columns: [t.runId], foreignColumns: [run.runId] }).onDelete('cascade'),
  ],
);
