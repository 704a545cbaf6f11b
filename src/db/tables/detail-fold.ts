import { foreignKey, integer, text } from 'drizzle-orm/pg-core';
import { pageStatus } from './category-page.ts';
import { bytes, instant } from './columns.ts';
import { run } from './run.ts';
import { ops } from './schemas.ts';

/**
 * The product details an old run asked for in one row: counts for good, and what each was in arrays, for as long as the
 * archive keeps the run's payloads. Entry n of every array is the same product.
 */
export const detailFold = ops.table(
  'detail_fold',
  {
    runId: integer().primaryKey(),
    products: integer().notNull(),
    /** Whose page was there, and whose was not. */
    found: integer().notNull(),
    notThere: integer().notNull(),
    productId: text().array(),
    reason: text().array(),
    status: pageStatus().array(),
    outcome: text().array(),
    payloadSha256: bytes().array(),
    fetchedAt: instant().array(),
    error: text().array(),
  },
  (t) => [foreignKey({ columns: [t.runId], foreignColumns: [run.runId] }).onDelete('cascade')],
);
