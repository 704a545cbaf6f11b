import { boolean, date, integer, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { instant, long } from './columns.ts';
import { catalog } from './schemas.ts';

/** Products that a keyword search showed on a date, in order (from 1). */
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
    /** Whether it is an advertisement; null if the response does not mark products. */
    sponsored: boolean(),
    isForSale: boolean(),
    priceMinor: integer(),
    /** Change key of the page: rises with every stored result, in commit order. */
    changeSeq: long(),
    updatedAt: instant(),
  },
  (t) => [primaryKey({ columns: [t.region, t.keyword, t.snapshotDate, t.rank] })],
);
