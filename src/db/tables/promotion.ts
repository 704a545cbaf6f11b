import { integer, numeric, smallint, text, unique } from 'drizzle-orm/pg-core';
import { hash16, instant } from './columns.ts';
import { catalog } from './schemas.ts';

/** A text with dates that the supermarket attaches to products, and what it means. Null is "the text does not say". */
export const promotion = catalog.table(
  'promotion',
  {
    promotionKey: integer().primaryKey().generatedAlwaysAsIdentity(),
    /**
     * That of the run it came with; no foreign key, which would be checked row by row (11 µs each, as much as the
     * rest).
     */
    region: text().notNull(),
    /** Of description, offer type and dates: the upstream gives promotions no id. */
    promotionHash: hash16().notNull(),
    description: text().notNull(),
    offerType: text(),
    startsAt: instant(),
    endsAt: instant(),
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
  },
  (t) => [unique('promotion_region_hash').on(t.region, t.promotionHash)],
);

/**
 * Columns that say what a promotion's text means: of `catalog.promotion` and of `stage.promotion`, which is read again
 * by replays.
 */
export const promotionMeaning = [
  'kind',
  'loyalty_price_minor',
  'loyalty_unit_price',
  'loyalty_unit_measure',
  'quantity',
  'pay_quantity',
  'deal_price_minor',
  'save_percent',
  'was_price_minor',
  'now_price_minor',
  'saving_minor',
  'deposit_minor',
] as const;
