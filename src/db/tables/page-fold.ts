import { foreignKey, integer, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { pageStatus } from './category-page.ts';
import { bytes, instant } from './columns.ts';
import { run } from './run.ts';
import { ops } from './schemas.ts';

/**
 * The pages of one category of an old run in one row: counts for good, and what each page was in arrays, for as long as the
 * archive keeps the run's payloads. Entry n of every array is the same reading of a page.
 */
export const pageFold = ops.table(
  'page_fold',
  {
    runId: integer().notNull(),
    categoryNo: integer().notNull(),
    /** Pages planned, the highest number among them, and how many were read. */
    pages: integer().notNull(),
    lastPage: integer().notNull(),
    pagesRead: integer().notNull(),
    /** Readings that were answered, those of a page read again counted each time. */
    readingsDone: integer().notNull(),
    /** Elements on all of them, and how many of those went into quarantine. */
    items: integer().notNull(),
    quarantined: integer().notNull(),
    pageNo: integer().array(),
    reading: smallint().array(),
    status: pageStatus().array(),
    itemsReceived: smallint().array(),
    distinctProducts: smallint().array(),
    rejected: smallint().array(),
    declaredTotal: integer().array(),
    payloadSha256: bytes().array(),
    fetchedAt: instant().array(),
    error: text().array(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.categoryNo] }),
    foreignKey({ columns: [t.runId], foreignColumns: [run.runId] }).onDelete('cascade'),
  ],
);
