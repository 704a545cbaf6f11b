import { integer, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/**
 * The last page that a region's listing answers for any category, if it refuses later pages instead of returning empty
 * ones.
 */
export const pageWindow = ops.table('page_window', {
  region: text().primaryKey(),
  lastPage: integer().notNull(),
  learnedAt: instant().notNull(),
});
