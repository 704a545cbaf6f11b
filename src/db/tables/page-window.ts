import { integer, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** The last page a region's listing answers for any category, where it refuses those beyond instead of showing none. */
export const pageWindow = ops.table('page_window', {
  region: text().primaryKey(),
  lastPage: integer().notNull(),
  learnedAt: instant().notNull(),
});
