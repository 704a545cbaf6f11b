import { date, integer, numeric, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { derived } from './schemas.ts';

/** Content of a pack by its title or details, as spells of certified nights; the open row is the current one. */
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
  // Another index is made after the first derivation (src/db/functions/index-products.sql).
  (t) => [primaryKey({ columns: [t.productKey, t.validFrom] })],
);
