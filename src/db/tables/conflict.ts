import { foreignKey, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { hash16 } from './columns.ts';
import { run } from './run.ts';
import { ops } from './schemas.ts';

/** A product that one run saw in more than one form: which observation won (the first in category and page order). */
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
