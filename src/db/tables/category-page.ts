import { sql } from 'drizzle-orm';
import { foreignKey, index, integer, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant } from './columns.ts';
import { run } from './run.ts';
import { ops } from './schemas.ts';

/** The unit of work: `planned` (leased while `worker_id` lives), then `done` or `failed`. */
export const pageStatus = ops.enum('page_status', ['planned', 'done', 'failed']);

/** One page of one category in one run: its lease, what came, and who was seen on it. */
export const categoryPage = ops.table(
  'category_page',
  {
    runId: integer().notNull(),
    categoryNo: integer().notNull(),
    pageNo: integer().notNull(),
    /** 1, and one more each time a repair reads the page again; every reading counts. */
    reading: smallint().notNull().default(1),
    /** Pages of one batch are one queue job. */
    batchNo: integer().notNull(),
    status: pageStatus().notNull().default('planned'),
    workerId: uuid(),
    /** Changes with every claim: a page is staged only under the lease it was claimed with. */
    lease: integer().notNull().default(0),
    attempts: smallint().notNull().default(0),
    /** When its batch was last handed to the queue. */
    queuedAt: instant(),
    itemsReceived: smallint(),
    distinctProducts: smallint(),
    rejected: smallint(),
    declaredTotal: integer(),
    /** Products seen whose listing is what the catalogue already has; emptied after a few runs. */
    seenKeys: integer().array(),
    /** Those of them whose breadcrumb does not pass through this category. */
    extraKeys: integer().array(),
    payloadSha256: bytes(),
    fetchedAt: instant(),
    error: text(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.categoryNo, t.pageNo, t.reading] }),
    foreignKey({ columns: [t.runId], foreignColumns: [run.runId] }).onDelete('cascade'),
    // Of the work that is left, so that looking for more costs the same at the end of a night as at its beginning.
    index('category_page_by_batch').on(t.runId, t.batchNo).where(sql`status = 'planned'`),
    // Hardly ever a row; every batch that is taken asks for them.
    index('category_page_failed').on(t.runId).where(sql`status = 'failed'`),
  ],
);
