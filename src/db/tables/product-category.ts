import { sql } from 'drizzle-orm';
import { check, integer, primaryKey } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';

/**
 * Source of a membership: the listing's breadcrumb, the pages of a category that is read every night, or the breadcrumb
 * of the product's own page if the listing has none.
 */
export const membershipSource = catalog.enum('membership_source', ['breadcrumb', 'listing', 'details']);

/** Categories of a product as spells; only the deepest known ones, because ancestors follow from the taxonomy. */
export const productCategory = catalog.table(
  'product_category',
  {
    productKey: integer().notNull(),
    categoryKey: integer().notNull(),
    validFrom: instant().notNull(),
    validTo: instant(),
    source: membershipSource().notNull(),
  },
  // Further indexes are made after the first derivation (src/db/functions/index-products.sql).
  (t) => [
    primaryKey({ columns: [t.productKey, t.categoryKey, t.validFrom] }),
    check('product_category_interval', sql`valid_to > valid_from`),
  ],
);
