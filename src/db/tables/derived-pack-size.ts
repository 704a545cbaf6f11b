import { date, integer, numeric, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { derived } from './schemas.ts';

/** What a pack held, from which certified night to which, as its title or its details say; the open row is the current one. */
export const derivedPackSize = derived.table(
  'pack_size',
  {
    productKey: integer().notNull(),
    validFrom: date().notNull(),
    validTo: date(),
    packSize: numeric().notNull(),
    packMeasure: text().notNull(),
    packCount: smallint(),
    /** `title` or `details`. */
    source: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.productKey, t.validFrom] })],
);
