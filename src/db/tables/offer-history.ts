import { integer, primaryKey } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';

/**
 * While a promotion was in effect for a product, from run to run: the lowest loyalty price, null where none was stated.
 * No row: no promotion was in effect. It follows from `product_promotion`, the promotions' dates and the published runs.
 */
export const offerHistory = catalog.table(
  'offer_history',
  {
    productKey: integer().notNull(),
    loyaltyPriceMinor: integer(),
    validFrom: instant().notNull(),
    validTo: instant(),
  },
  (t) => [primaryKey({ columns: [t.productKey, t.validFrom] })],
);
