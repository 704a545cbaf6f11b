import { numeric, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** Value added tax included in the prices of a department, loaded by a user. */
export const vatRate = ops.table(
  'vat_rate',
  {
    region: text().notNull(),
    /** Name of a top-level category. */
    department: text().notNull(),
    ratePct: numeric().notNull(),
    loadedAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.region, t.department] })],
);
