import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  foreignKey,
  integer,
  jsonb,
  numeric,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { endedSpell, hash16, instant, keyOfSpells, spell } from './columns.ts';
import { availability } from './histories.ts';
import { catalog } from './schemas.ts';

/** What a listing says of a product in each of its versions, beside the title. */
export const listedColumns = {
  tpnb: text(),
  gtin: text(),
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
  /** Of EXTRA_FIELDS, as the listing has them. */
  extra: jsonb(),
  /** Content of the whole pack in `packMeasure`, as the title says it (src/crawl/stage/read-title.ts); null: none. */
  packSize: numeric(),
  packMeasure: text(),
  packCount: smallint(),
  /** Title without its size, in lower-case words; it stays equal when the pack changes. */
  plainName: text(),
  /** Hash of the title without differences of spelling, to match products of both regions. */
  matchKey: bigint({ mode: 'bigint' }),
};

/** Current version of a product; former ones are in `product_history`. */
export const product = catalog.table(
  'product',
  {
    productKey: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** Region of the run that added it. A foreign key would cost as much as the rest, 11 µs a row. */
    region: text().notNull(),
    productId: text().notNull(),
    title: text().notNull(),
    ...listedColumns,
    /** Whether the barcode is from the product's own page, because the listing has none. */
    hasGtinOfDetails: boolean().notNull().default(false),
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

/**
 * Current price, offer, availability and category of a product, each with the run since which it holds. Former values
 * are in `price_history`, `offer_history`, `availability_history` and `leaf_history`.
 */
export const productCurrent = catalog.table(
  'product_current',
  {
    productKey: integer().primaryKey(),
    /** As in `product`, so that a night reads only the rows of its region. */
    region: text().notNull(),
    priceMinor: integer(),
    loyaltyPriceMinor: integer(),
    availability: availability().notNull(),
    /** Deepest category of its breadcrumb, or of its own page's; null: unknown. */
    leafKey: integer(),
    priceSince: instant().notNull(),
    availabilitySince: instant().notNull(),
    leafSince: instant().notNull(),
    /** Null: no promotion is in effect. */
    offerSince: instant(),
    /** When the next promotion of the product begins or ends by its dates. */
    offerChangesAt: instant(),
    unitPrice: numeric({ precision: 14, scale: 4 }),
    unitOfMeasure: text(),
    /** When a published run last read its own page. `-infinity`: to be read next, because a search or a user asked. */
    detailReadAt: instant(),
  },
  // Its indexes beside the key are made after the first derivation (src/db/functions/index-products.sql).
  () => [check('product_current_price', sql`price_minor > 0`)],
);

/** Former versions of products; the current one is in `product`. */
export const productHistory = catalog.table(
  'product_history',
  {
    productKey: integer().notNull(),
    ...endedSpell(),
    title: text().notNull(),
    ...listedColumns,
  },
  (t) => keyOfSpells('product_history', t.productKey, t.validFrom),
);

/** What a product's own page states. */
export const detailColumns = {
  detailHash: hash16().notNull(),
  description: text(),
  ingredients: text(),
  /** Sorted and distinct. */
  allergens: text().array().notNull(),
  packSize: numeric(),
  packMeasure: text(),
  packCount: smallint(),
  storage: text(),
  gtin: text(),
  /** Deepest category of the page's breadcrumb. */
  leafId: text(),
  catchWeightGrams: integer(),
  charges: jsonb(),
  depositMinor: integer(),
  productType: text(),
  status: text(),
  /** Of EXTRA_FIELDS. */
  extra: jsonb(),
};

/** Details from products' own pages; the open row of a product is the current one. */
export const productDetail = catalog.table(
  'product_detail',
  {
    productKey: integer().notNull(),
    ...spell(),
    ...detailColumns,
  },
  (t) => keyOfSpells('product_detail', t.productKey, t.validFrom),
);

/** The nutrition table of one version of a product's details. */
export const productNutrition = catalog.table(
  'product_nutrition',
  {
    productKey: integer().notNull(),
    /** That of its `product_detail` row. */
    validFrom: instant().notNull(),
    nutrient: text().notNull(),
    basis: text().notNull(),
    amount: numeric().notNull(),
    unit: text().notNull(),
    isUpperBound: boolean().notNull(),
    printed: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.productKey, t.validFrom, t.nutrient, t.basis] }),
    foreignKey({
      columns: [t.productKey, t.validFrom],
      foreignColumns: [productDetail.productKey, productDetail.validFrom],
    }),
  ],
);
