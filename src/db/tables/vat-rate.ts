import { numeric, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** The value added tax that prices of a department contain, as a person has loaded it. */
export const vatRate = ops.table(
  'vat_rate',
  {
    region: text().notNull(),
    /** Name of a category of the top level. */
    department: text().notNull(),
    ratePct: numeric().notNull(),
    loadedAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.region, t.department] })],
);
