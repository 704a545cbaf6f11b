import { integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core';
import { stage } from './schemas.ts';

/** Stores that the open refresh has found, with the columns of `catalog.store` and their hours. */
export const stageStore = stage.table(
  'store',
  {
    refreshId: integer().notNull(),
    storeId: text().notNull(),
    /** Lowest number of the circles that found it, so that the order of arrival does not matter. */
    circleNo: integer().notNull(),
    record: jsonb().notNull(),
    hours: jsonb().notNull(),
  },
  (t) => [primaryKey({ columns: [t.refreshId, t.storeId] })],
);
