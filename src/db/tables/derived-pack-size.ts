import { sql } from 'drizzle-orm';
import { date, integer, numeric, primaryKey, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core';
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
  (t) => [
    primaryKey({ columns: [t.productKey, t.validFrom] }),
    // Unique, so that the planner knows that a product has at most one.
    uniqueIndex('pack_size_current').on(t.productKey).where(sql`valid_to is null`),
  ],
);
