import { date, numeric, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** Exchange rates loaded by a user: the price of one unit of `base` in `quote`. */
export const fxRate = ops.table(
  'fx_rate',
  {
    base: text().notNull(),
    quote: text().notNull(),
    onDate: date().notNull(),
    rate: numeric().notNull(),
    source: text().notNull(),
    loadedAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.base, t.quote, t.onDate] })],
);
