import { date, integer, numeric, primaryKey, text } from 'drizzle-orm/pg-core';
import { derived } from './schemas.ts';

/** Spell in which price and unit price of a listed pack contradicted the size in its title. */
export const derivedUnitPriceMistake = derived.table(
  'unit_price_mistake',
  {
    productKey: integer().notNull(),
    validFrom: date().notNull(),
    validTo: date(),
    priceMinor: integer().notNull(),
    unitPrice: numeric().notNull(),
    unitOfMeasure: text().notNull(),
    packSize: numeric().notNull(),
    packMeasure: text().notNull(),
    expectedUnitPrice: numeric().notNull(),
    evidence: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.productKey, t.validFrom] })],
);
