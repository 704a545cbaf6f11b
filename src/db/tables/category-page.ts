import { foreignKey, integer, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant } from './columns.ts';
import { run } from './run.ts';
import { ops } from './schemas.ts';

/** The unit of work: `planned` (claimed while the worker `worker_id` lives), then `done` or `failed`. */
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
    status: pageStatus().notNull().default('planned'),
    workerId: uuid(),
    /** The fencing token. Each claim raises it, and a page is staged only under the one it was claimed with. */
    lease: integer().notNull().default(0),
    attempts: smallint().notNull().default(0),
    /** It failed, and rests until then. */
    notBefore: instant(),
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
  ],
);
