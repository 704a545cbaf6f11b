import { primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';
import { storeColumns } from './store-columns.ts';

/** Former versions of stores that changed or closed. */
export const storeHistory = catalog.table(
  'store_history',
  {
    storeId: text().notNull(),
    validFrom: instant().notNull(),
    validTo: instant().notNull(),
    ...storeColumns,
  },
  (t) => [primaryKey({ columns: [t.storeId, t.validFrom] })],
);
