import { integer } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** When a product's own page was last read, and when a read was requested. */
export const detailVisit = ops.table('detail_visit', {
  productKey: integer().primaryKey(),
  /** Instant of the last published run that read it; null: never. */
  visitedAt: instant(),
  /** Requested by a user, or because a search showed the product differently; fulfilled once `visited_at` is later. */
  requestedAt: instant(),
});
