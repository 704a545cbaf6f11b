import { boolean, foreignKey, integer, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { run } from './run.ts';
import { ops } from './schemas.ts';

/** A category a run walks page by page, and what it declared. */
export const categoryCrawl = ops.table(
  'category_crawl',
  {
    runId: integer().notNull(),
    /** Rank of the category id among the run's taxonomy: the order in which observations of a product win. */
    categoryNo: integer().notNull(),
    categoryId: text().notNull(),
    /** The frontier category this one helps to cover; its own number for the frontier itself. */
    rootNo: integer().notNull(),
    /** Walked through its children instead: too large to page, or paging fell short. */
    isDescended: boolean().notNull().default(false),
    /** Only its first page is asked for, to hold what its parent lists against it. */
    isSample: boolean().notNull().default(false),
    declaredFirst: integer(),
    declaredLast: integer(),
    resultsPerPage: smallint(),
    pagesPlanned: integer().notNull().default(0),
    /** How often its pages were planned again because it fell short. */
    repairs: smallint().notNull().default(0),
    distinctSeen: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.categoryNo] }),
    foreignKey({ columns: [t.runId], foreignColumns: [run.runId] }).onDelete('cascade'),
  ],
);
