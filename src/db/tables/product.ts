import { sql } from 'drizzle-orm';
import { boolean, integer, jsonb, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { hash16, instant } from './columns.ts';
import { catalog } from './schemas.ts';

/** Current version of a product; former ones are in `product_history`. */
export const product = catalog.table(
  'product',
  {
    productKey: integer().primaryKey().generatedAlwaysAsIdentity(),
    /**
     * Region of the run that added it. No foreign key, because checking it row by row costs as much as the rest (11 µs
     * each).
     */
    region: text().notNull(),
    productId: text().notNull(),
    tpnb: text(),
    gtin: text(),
    /** Whether the barcode is from the product's own page, because the listing has none. */
    hasGtinOfDetails: boolean().notNull().default(false),
    title: text().notNull(),
    brand: text(),
    imageUrl: text(),
    /** Seller of the offer; null if the listing names none. */
    seller: text(),
    /** Typical weight of a product priced by the kilogram; null for products of fixed weight. */
    catchWeightGrams: integer(),
    /** Charges in addition to the price, as received. */
    charges: jsonb(),
    /** Container deposits among the charges. */
    depositMinor: integer(),
    /** As last listed; determines the availability of a product that returns unchanged. */
    isForSale: boolean().notNull(),
    firstSeenAt: instant().notNull(),
    /** When the upstream gave its id to another article; null: never. */
    replacedAt: instant(),
    /** Since when title, brand, codes, image, seller, typical weight and charges are unchanged. */
    validFrom: instant().notNull(),
    /** Hash of all listed fields; if it is equal, nothing has to be written. */
    entryHash: hash16().notNull(),
  },
  // Indexes that only readers need are made after the first derivation (src/db/functions/index-products.sql).
  (t) => [
    uniqueIndex('product_region_id').on(t.region, t.productId, sql`coalesce(replaced_at, 'infinity'::timestamptz)`),
  ],
);
