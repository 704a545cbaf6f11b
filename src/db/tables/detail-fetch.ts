import { foreignKey, index, integer, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { pageStatus } from './category-page.ts';
import { bytes, instant } from './columns.ts';
import { run } from './run.ts';
import { ops } from './schemas.ts';

/** One product whose details a run asks for, why, and what came of it. */
export const detailFetch = ops.table(
  'detail_fetch',
  {
    runId: integer().notNull(),
    productId: text().notNull(),
    /** The details worth most are asked for first. */
    place: integer().notNull(),
    /**
     * `requested`: a search or a person asked for it; `new`: nothing is known of it; `changed`: its listing changed
     * since its details were read; `refresh`: longest unread; `missing` and `delist`: asked after because no category
     * listed it.
     */
    reason: text().notNull(),
    status: pageStatus().notNull().default('planned'),
    workerId: uuid(),
    lease: integer().notNull().default(0),
    attempts: smallint().notNull().default(0),
    notBefore: instant(),
    /** `found` or `not_there`. */
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
