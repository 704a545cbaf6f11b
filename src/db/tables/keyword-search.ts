import { bigint, date, integer, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { pageStatus } from './category-page.ts';
import { bytes, instant } from './columns.ts';
import { ops } from './schemas.ts';

/** A keyword to search for in a night, and the result. */
export const keywordSearch = ops.table(
  'keyword_search',
  {
    region: text().notNull(),
    keyword: text().notNull(),
    snapshotDate: date().notNull(),
    status: pageStatus().notNull().default('planned'),
    attempts: smallint().notNull().default(0),
    /** May not be searched before: because of a limit or outage, or while a process is searching. */
    notBefore: instant(),
    /** Matching products according to the upstream, and number of elements on its first page. */
    declaredTotal: integer(),
    received: smallint(),
    rejected: smallint(),
    payloadSha256: bytes(),
    searchedAt: instant(),
    error: text(),
    /** Change key: rises with every stored result, in commit order; null if none was stored. */
    changeSeq: bigint({ mode: 'number' }),
    updatedAt: instant(),
  },
  (t) => [primaryKey({ columns: [t.region, t.keyword, t.snapshotDate] })],
);
