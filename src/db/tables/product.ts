import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { hash16, instant } from './columns.ts';
import { catalog } from './schemas.ts';

/** What a product is now; what it was before stands in `product_history`. */
export const product = catalog.table(
  'product',
  {
    productKey: integer().primaryKey().generatedAlwaysAsIdentity(),
    /**
     * That of the run it came with; no foreign key, which would be checked row by row (11 µs each, as much as the
     * rest).
     */
    region: text().notNull(),
    productId: text().notNull(),
    tpnb: text(),
    gtin: text(),
    /** The listing has no barcode; this one is from the product's own page. */
    hasGtinOfDetails: boolean().notNull().default(false),
    title: text().notNull(),
    brand: text(),
    imageUrl: text(),
    /** Whose offer the price is; null where the listing names no seller. */
    seller: text(),
    /** Typical weight of a product priced by the kilogram; null for products of one weight. */
    catchWeightGrams: integer(),
    /** What is paid beside the price, as received. */
    charges: jsonb(),
    /** Container deposits among the charges. */
    depositMinor: integer(),
    /** As last listed; tells whether a product that comes back unchanged is available. */
    isForSale: boolean().notNull(),
    firstSeenAt: instant().notNull(),
    /** When the upstream gave its id to another article; null: never. */
    replacedAt: instant(),
    /** Since when title, brand, codes, image, seller, typical weight and charges are what they are. */
    validFrom: instant().notNull(),
    /** Of everything a listing shows of it: equal hash, nothing to write. */
    listingHash: hash16().notNull(),
  },
  (t) => [
    uniqueIndex('product_region_id').on(t.region, t.productId, sql`coalesce(replaced_at, 'infinity'::timestamptz)`),
    // Without the region: while a book is small, a look-up of one product must not seem as cheap by it as by its
    // number.
    index('product_by_title').on(t.title, t.productKey),
  ],
);
