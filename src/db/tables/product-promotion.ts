import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';

/** Promotions of a product as spells. */
export const productPromotion = catalog.table(
  'product_promotion',
  {
    productKey: integer().notNull(),
    promotionKey: integer().notNull(),
    validFrom: instant().notNull(),
    validTo: instant(),
  },
  (t) => [
    primaryKey({ columns: [t.productKey, t.promotionKey, t.validFrom] }),
    index('product_promotion_by_promotion').on(t.promotionKey),
    // BRIN stays small, because rows are written in time order.
    index('product_promotion_by_time').using('brin', t.validFrom),
    check('product_promotion_interval', sql`valid_to > valid_from`),
  ],
);
