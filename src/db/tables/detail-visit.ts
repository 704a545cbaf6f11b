import { integer } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** When a product's own page was last read, and when somebody asked for it to be read. */
export const detailVisit = ops.table('detail_visit', {
  productKey: integer().primaryKey(),
  /** The instant of the last published run that read it; null: never. */
  visitedAt: instant(),
  /** A search showed it otherwise than the catalogue has it, or a person asked; done once `visited_at` is later. */
  requestedAt: instant(),
});
