import { integer, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';

/** Curbside hours of each version of a store: minutes after local midnight, null when closed or not understood. */
export const storeHours = catalog.table(
  'store_hours',
  {
    storeId: text().notNull(),
    /** Of the version they belong to: `store` or `store_history`. */
    validFrom: instant().notNull().defaultNow(),
    /** 1 Monday … 7 Sunday (ISO 8601). */
    weekday: smallint().notNull(),
    opensMinute: integer(),
    /** Beyond 1440 when it closes after midnight. */
    closesMinute: integer(),
    printed: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.storeId, t.validFrom, t.weekday] })],
);
