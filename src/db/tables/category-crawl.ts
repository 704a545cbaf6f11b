import { boolean, foreignKey, integer, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { run } from './run.ts';
import { ops } from './schemas.ts';

/** A category that a run reads page by page, and its declared totals. */
export const categoryCrawl = ops.table(
  'category_crawl',
  {
    runId: integer().notNull(),
    /** Rank of the category id in the run's taxonomy: the order in which observations of a product win. */
    categoryNo: integer().notNull(),
    categoryId: text().notNull(),
    /** The frontier category that it helps to cover; a frontier category has its own number. */
    rootNo: integer().notNull(),
    /** Replaced by its children: too large to page, or its pages fell short. */
    isDescended: boolean().notNull().default(false),
    /** Only its first page is requested, to compare it with its parent's listing. */
    isSample: boolean().notNull().default(false),
    declaredFirst: integer(),
    declaredLast: integer(),
    resultsPerPage: smallint(),
    pagesPlanned: integer().notNull().default(0),
    /** Rounds in which its pages were planned again because it fell short. */
    repairs: smallint().notNull().default(0),
    distinctSeen: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.categoryNo] }),
    foreignKey({ columns: [t.runId], foreignColumns: [run.runId] }).onDelete('cascade'),
  ],
);
