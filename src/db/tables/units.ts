import { boolean, doublePrecision, integer, primaryKey, smallint, text, unique, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant, long } from './columns.ts';
import { ofRun } from './runs.ts';
import { ops } from './schemas.ts';

/** State of a unit: `planned` (claimed while the worker `worker_id` lives), then `done` or `failed`. */
export const unitStatus = ops.enum('unit_status', ['planned', 'done', 'failed']);

/** Columns of every table of units of work (src/crawl/units.ts). Units are claimed in the order of their ids. */
export const unitColumns = () => ({
  unitId: long().notNull().generatedAlwaysAsIdentity(),
  runId: ofRun(),
  status: unitStatus().notNull().default('planned'),
  workerId: uuid(),
  /** Number of the claim: each claim raises it, and an answer is kept only under the number of its claim. */
  claimToken: integer().notNull().default(0),
  /** Attempts that failed. */
  attempts: smallint().notNull().default(0),
  /** After a failure, the unit may not be claimed before. */
  notBefore: instant(),
  /** Kind of the last failure, and a message after a colon. */
  error: text(),
  payloadSha256: bytes(),
  fetchedAt: instant(),
});

/** A category that a run reads page by page, and its declared totals. */
export const categoryCrawl = ops.table(
  'category_crawl',
  {
    runId: ofRun(),
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
  },
  (t) => [primaryKey({ columns: [t.runId, t.categoryNo] })],
);

/** One page of a category in a run: its claim, its result, and the products on it. */
export const categoryPage = ops.table(
  'category_page',
  {
    ...unitColumns(),
    // No foreign key: checking it page by page takes three times as long as planning them, and runs are not deleted.
    runId: integer().notNull(),
    categoryNo: integer().notNull(),
    pageNo: integer().notNull(),
    /** 1, plus one for each repair that reads the page again; all readings count. */
    attemptNo: smallint().notNull().default(1),
    itemsReceived: smallint(),
    distinctProducts: smallint(),
    rejected: smallint(),
    declaredTotal: integer(),
    /** Products whose listing equals the catalogue; cleared after a few runs. */
    seenKeys: integer().array(),
    /** Those of them whose breadcrumb does not pass through this category. */
    extraKeys: integer().array(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.unitId] }),
    unique('category_page_attempt_no').on(t.runId, t.categoryNo, t.pageNo, t.attemptNo),
  ],
);

/** A product whose details a run requests, why, and the result. Products that are worth more are planned first. */
export const detailFetch = ops.table(
  'detail_fetch',
  {
    ...unitColumns(),
    productId: text().notNull(),
    /**
     * `requested`: by a search or a user; `new`: no details known; `changed`: listing changed since they were read;
     * `refresh`: longest unread; `missing`: no category listed the product.
     */
    reason: text().notNull(),
    /** `found` or `not_there`. */
    outcome: text(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.unitId] }), unique('detail_fetch_product').on(t.runId, t.productId)],
);

/** A cell of the grid over STORE_AREAS, in degrees. The circle around it is requested from the store locator. */
export const storeCircle = ops.table(
  'store_circle',
  {
    ...unitColumns(),
    south: doublePrecision().notNull(),
    west: doublePrecision().notNull(),
    north: doublePrecision().notNull(),
    east: doublePrecision().notNull(),
    /** Elements of the answer; those that could not be parsed. */
    received: integer(),
    rejected: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.unitId] }),
    unique('store_circle_cell').on(t.runId, t.south, t.west, t.north, t.east),
  ],
);

/** A keyword that a run searches for, and the result. */
export const keywordSearch = ops.table(
  'keyword_search',
  {
    ...unitColumns(),
    region: text().notNull(),
    keyword: text().notNull(),
    /** Matching products according to the upstream, and elements on its first page. */
    declaredTotal: integer(),
    received: smallint(),
    rejected: smallint(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.unitId] }),
    unique('keyword_search_keyword').on(t.runId, t.region, t.keyword),
  ],
);
