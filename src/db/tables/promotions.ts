import { toSnakeCase } from 'drizzle-orm/casing';
import { index, integer, numeric, smallint, text, unique } from 'drizzle-orm/pg-core';
import { hash16, instant, keyOfSpells, spell } from './columns.ts';
import { catalog } from './schemas.ts';

const meaning = {
  kind: text().notNull(),
  loyaltyPriceMinor: integer(),
  loyaltyUnitPrice: numeric(),
  loyaltyUnitMeasure: text(),
  quantity: smallint(),
  payQuantity: smallint(),
  dealPriceMinor: integer(),
  savePercent: numeric(),
  wasPriceMinor: integer(),
  nowPriceMinor: integer(),
  savingMinor: integer(),
  depositMinor: integer(),
};

/** A promotion's text and dates, and their parsed meaning. Null means that the text does not state it. */
export const promotionColumns = {
  /** Hash of description, offer type and dates, because the upstream gives promotions no id. */
  promotionHash: hash16().notNull(),
  description: text().notNull(),
  offerType: text(),
  startsAt: instant(),
  endsAt: instant(),
  ...meaning,
};

/** The promotions of a region. */
export const promotion = catalog.table(
  'promotion',
  {
    promotionKey: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** Region of the run that added it. A foreign key would cost as much as the rest, 11 µs a row. */
    region: text().notNull(),
    ...promotionColumns,
  },
  (t) => [unique('promotion_region_hash').on(t.region, t.promotionHash)],
);

/**
 * Columns with the meaning of a promotion's text, in `catalog.promotion` and `stage.promotion`. Replays parse it again.
 */
export const promotionMeaning = Object.keys(meaning).map(toSnakeCase);

/** Promotions of a product as spells. */
export const productPromotion = catalog.table(
  'product_promotion',
  {
    productKey: integer().notNull(),
    promotionKey: integer().notNull(),
    ...spell(),
  },
  (t) => [
    ...keyOfSpells('product_promotion', t.productKey, t.promotionKey, t.validFrom),
    index('product_promotion_by_promotion').on(t.promotionKey),
    // BRIN stays small, because rows are written in time order.
    index('product_promotion_by_time').using('brin', t.validFrom),
  ],
);
