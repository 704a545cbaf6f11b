import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';

/**
 * While a promotion was in effect for a product, from run to run: the lowest loyalty price, null where none was stated.
 * No row: no promotion was in effect. It follows from `product_promotion`, the promotions' dates and the published
 * runs. An offer that lasts stands in `product_current`; both together are the view `offer_spell`.
 */
export const offerHistory = catalog.table(
  'offer_history',
  {
    productKey: integer().notNull(),
    loyaltyPriceMinor: integer(),
    validFrom: instant().notNull(),
    validTo: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.productKey, t.validFrom] }),
    index('offer_history_by_end').using('brin', t.validTo),
    check('offer_history_interval', sql`valid_to > valid_from`),
  ],
);
