import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { catalog } from './schemas.ts';

/**
 * How a membership is known: the breadcrumb of the listed product, its being listed on the category's pages, or
 * the breadcrumb of its own page where the listing has none.
 */
export const membershipSource = catalog.enum('membership_source', ['breadcrumb', 'listing', 'details']);

/**
 * Categories of a product, from when to when; only the deepest known ones, their ancestors follow from the taxonomy.
 */
export const productCategory = catalog.table(
  'product_category',
  {
    productKey: integer().notNull(),
    categoryKey: integer().notNull(),
    validFrom: instant().notNull(),
    validTo: instant(),
    source: membershipSource().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.productKey, t.categoryKey, t.validFrom] }),
    index('product_category_by_category').on(t.categoryKey),
    // The products of a category now, without passing over those that were.
    index('product_category_now').on(t.categoryKey, t.productKey).where(sql`valid_to is null`),
    check('product_category_interval', sql`valid_to > valid_from`),
  ],
);
