import { integer, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';

/** Curbside hours of each version of a store, in minutes after local midnight; null if closed or unreadable. */
export const storeHours = catalog.table(
  'store_hours',
  {
    storeId: text().notNull(),
    /** That of its version in `store` or `store_history`. */
    validFrom: instant().notNull().defaultNow(),
    /** 1 Monday … 7 Sunday (ISO 8601). */
    weekday: smallint().notNull(),
    opensMinute: integer(),
    /** Above 1440 if it closes after midnight. */
    closesMinute: integer(),
    printed: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.storeId, t.validFrom, t.weekday] })],
);
