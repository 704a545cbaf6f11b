import { integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core';
import { stage } from './schemas.ts';

/** Stores that the open refresh has seen, in the columns of `catalog.store` with their hours. */
export const stageStore = stage.table(
  'store',
  {
    refreshId: integer().notNull(),
    storeId: text().notNull(),
    /** The lowest of those that showed it: arrival order never matters. */
    circleNo: integer().notNull(),
    record: jsonb().notNull(),
    hours: jsonb().notNull(),
  },
  (t) => [primaryKey({ columns: [t.refreshId, t.storeId] })],
);
