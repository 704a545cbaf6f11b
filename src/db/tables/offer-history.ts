import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';

/**
 * Ended spells in which a promotion was in effect for a product, with the lowest loyalty price (null if none is
 * stated). Derived from `product_promotion`, promotion dates and published runs. The current offer is in
 * `product_current`; both together are the view `offer_spell`.
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
