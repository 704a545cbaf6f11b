import { foreignKey, index, integer, primaryKey, real, smallint, text, uuid } from 'drizzle-orm/pg-core';
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
     * `new`: nothing is known of it; `overdue`: as old as details may become; `tile`: its title, brand, code or picture changed;
     * `changed`: something else of its listing did; `refresh`: likely enough to have changed; `explore`: little is known of how often
     * it does; `audit`: drawn by chance; `missing` and `delist`: asked after because no category listed it.
     */
    reason: text().notNull(),
    /** How likely its details had changed, as the plan saw it, and how many days old they were; null: not known before. */
    chance: real(),
    ageDays: real(),
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
