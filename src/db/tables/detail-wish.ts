import { primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** A known product whose own page the next night asks before others, within its limit of details; then it is forgotten. */
export const detailWish = ops.table(
  'detail_wish',
  {
    region: text().notNull(),
    productId: text().notNull(),
    /** `search`: a search showed it otherwise than the catalogue has it; `command`: a person asked for it. */
    reason: text().notNull(),
    wishedAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.region, t.productId] })],
);
