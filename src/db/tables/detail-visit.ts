import { integer, real, smallint } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** When a product's own page was asked last, and what all visits to it found: what its details' rate of change is judged by. */
export const detailVisit = ops.table('detail_visit', {
  productKey: integer().primaryKey(),
  /** That of the last run that asked for it and was published. */
  visitedAt: instant().notNull(),
  visits: smallint().notNull(),
  /** Visits that found a change, the first one not counted. */
  changes: smallint().notNull().default(0),
  /** Days between visits of which the later found nothing new, and of which it found a change. */
  quietDays: real().notNull().default(0),
  changedDays: real().notNull().default(0),
});
