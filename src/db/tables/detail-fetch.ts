import { foreignKey, index, integer, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { pageStatus } from './category-page.ts';
import { bytes, instant } from './columns.ts';
import { run } from './run.ts';
import { ops } from './schemas.ts';

/** A product whose details a run requests, why, and the result. */
export const detailFetch = ops.table(
  'detail_fetch',
  {
    runId: integer().notNull(),
    productId: text().notNull(),
    /** Order of requests; lower places are worth more. */
    place: integer().notNull(),
    /**
     * `requested`: by a search or a user; `new`: no details known; `changed`: listing changed since they were read;
     * `refresh`: longest unread; `missing`: no category listed the product.
     */
    reason: text().notNull(),
    status: pageStatus().notNull().default('planned'),
    workerId: uuid(),
    lease: integer().notNull().default(0),
    attempts: smallint().notNull().default(0),
    notBefore: instant(),
    /** `found` or `not_there`; `deferred`: not requested, left for another night. */
    outcome: text(),
    payloadSha256: bytes(),
    fetchedAt: instant(),
    error: text(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.productId] }),
    foreignKey({ columns: [t.runId], foreignColumns: [run.runId] }).onDelete('cascade'),
    index('detail_fetch_by_place').on(t.runId, t.place),
  ],
);
