import { foreignKey, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { hash16 } from './columns.ts';
import { run } from './run.ts';
import { ops } from './schemas.ts';

/** A product that a run saw in several forms, and the observation that won (the first by category and page). */
export const conflict = ops.table(
  'conflict',
  {
    runId: integer().notNull(),
    productId: text().notNull(),
    forms: integer().notNull(),
    wonByCategoryNo: integer().notNull(),
    wonByPageNo: integer().notNull(),
    listingHash: hash16().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.productId] }),
    foreignKey({ columns: [t.runId], foreignColumns: [run.runId] }).onDelete('cascade'),
  ],
);
