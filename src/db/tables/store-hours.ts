import { integer, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { catalog } from './schemas.ts';
import { store } from './store.ts';

/** Curbside hours of a store: minutes after local midnight, null when closed or not understood. */
export const storeHours = catalog.table(
  'store_hours',
  {
    storeId: text()
      .notNull()
      .references(() => store.storeId),
    /** 1 Monday … 7 Sunday (ISO 8601). */
    weekday: smallint().notNull(),
    opensMinute: integer(),
    closesMinute: integer(),
    printed: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.storeId, t.weekday] })],
);
