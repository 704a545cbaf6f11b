import { integer, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant } from './columns.ts';
import { ops } from './schemas.ts';

/** State of a unit: `planned` (claimed while the worker `worker_id` lives), then `done` or `failed`. */
export const pageStatus = ops.enum('page_status', ['planned', 'done', 'failed']);

/** One page of a category in a run: its claim, its result, and the products on it. */
export const categoryPage = ops.table(
  'category_page',
  {
    runId: integer().notNull(),
    categoryNo: integer().notNull(),
    pageNo: integer().notNull(),
    /** 1, plus one for each repair that reads the page again; all readings count. */
    reading: smallint().notNull().default(1),
    status: pageStatus().notNull().default('planned'),
    workerId: uuid(),
    /** Claim number: each claim raises it, and a page is staged only under the number of its claim. */
    lease: integer().notNull().default(0),
    attempts: smallint().notNull().default(0),
    /** After a failure, the page may not be claimed before. */
    notBefore: instant(),
    itemsReceived: smallint(),
    distinctProducts: smallint(),
    rejected: smallint(),
    declaredTotal: integer(),
    /** Products whose listing equals the catalogue; cleared after a few runs. */
    seenKeys: integer().array(),
    /** Those of them whose breadcrumb does not pass through this category. */
    extraKeys: integer().array(),
    payloadSha256: bytes(),
    fetchedAt: instant(),
    error: text(),
  },
  // No foreign key: checking it page by page takes three times as long as planning the pages, and runs are not deleted.
  (t) => [primaryKey({ columns: [t.runId, t.categoryNo, t.pageNo, t.reading] })],
);
