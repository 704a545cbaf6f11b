import { boolean, date, integer, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { catalog } from './schemas.ts';

/** Which products a keyword search showed on a date, and in what order (from 1). */
export const searchRank = catalog.table(
  'search_rank',
  {
    region: text().notNull(),
    keyword: text().notNull(),
    snapshotDate: date().notNull(),
    rank: smallint().notNull(),
    productId: text().notNull(),
    title: text(),
    brand: text(),
    /** Paid for; null: the answer marks no product as that or as not that. */
    sponsored: boolean(),
    isForSale: boolean(),
    priceMinor: integer(),
  },
  (t) => [primaryKey({ columns: [t.region, t.keyword, t.snapshotDate, t.rank] })],
);
