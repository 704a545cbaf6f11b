import { date, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { catalog } from './schemas.ts';

/** Categories that a keyword search proposed on a date, in order (from 1). */
export const searchFilter = catalog.table(
  'search_filter',
  {
    region: text().notNull(),
    keyword: text().notNull(),
    snapshotDate: date().notNull(),
    position: smallint().notNull(),
    categoryId: text(),
    name: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.region, t.keyword, t.snapshotDate, t.position] })],
);
