import { doublePrecision, foreignKey, integer, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { pageStatus } from './category-page.ts';
import { bytes, instant } from './columns.ts';
import { ops } from './schemas.ts';
import { storeRefresh } from './store-refresh.ts';

/** One request of a refresh: a point, a radius, and the cell to cover. */
export const storeCircle = ops.table(
  'store_circle',
  {
    refreshId: integer().notNull(),
    circleNo: integer().notNull(),
    /** The circle it is a part of; null for initial circles. */
    parentNo: integer(),
    south: doublePrecision().notNull(),
    west: doublePrecision().notNull(),
    north: doublePrecision().notNull(),
    east: doublePrecision().notNull(),
    status: pageStatus().notNull().default('planned'),
    workerId: uuid(),
    lease: integer().notNull().default(0),
    attempts: smallint().notNull().default(0),
    /** Elements in the answer, including rejected ones. */
    received: integer(),
    rejected: integer(),
    storeIds: text().array(),
    distancePerMile: doublePrecision(),
    /**
     * Why its parts were requested instead: `count`, `missing`, `radius` or `failed`; null: its answer counts as
     * complete.
     */
    splitFor: text(),
    payloadSha256: bytes(),
    fetchedAt: instant(),
    error: text(),
  },
  (t) => [
    primaryKey({ columns: [t.refreshId, t.circleNo] }),
    foreignKey({ columns: [t.refreshId], foreignColumns: [storeRefresh.refreshId] }).onDelete('cascade'),
  ],
);
