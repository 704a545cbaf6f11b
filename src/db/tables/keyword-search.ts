import { bigint, date, integer, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { pageStatus } from './category-page.ts';
import { bytes, instant } from './columns.ts';
import { ops } from './schemas.ts';

/** One keyword to be searched in one night, and what came of it. */
export const keywordSearch = ops.table(
  'keyword_search',
  {
    region: text().notNull(),
    keyword: text().notNull(),
    snapshotDate: date().notNull(),
    status: pageStatus().notNull().default('planned'),
    attempts: smallint().notNull().default(0),
    /** Not before: a limit or an outage is waited for; also while a process asks. */
    notBefore: instant(),
    /** Products that the upstream says match, and elements of its first page. */
    declaredTotal: integer(),
    received: smallint(),
    rejected: smallint(),
    payloadSha256: bytes(),
    searchedAt: instant(),
    error: text(),
    /**
     * Rises with every answer that is kept, in the order in which they are; null: before this was kept, or none was.
     */
    changeSeq: bigint({ mode: 'number' }),
    updatedAt: instant(),
  },
  (t) => [primaryKey({ columns: [t.region, t.keyword, t.snapshotDate] })],
);
