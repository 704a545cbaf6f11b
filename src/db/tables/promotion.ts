import { integer, numeric, smallint, text, unique } from 'drizzle-orm/pg-core';
import { hash16, instant } from './columns.ts';
import { catalog } from './schemas.ts';

/** A promotion's text and dates, and their parsed meaning. Null means that the text does not state it. */
export const promotionColumns = {
  /** Hash of description, offer type and dates, because the upstream gives promotions no id. */
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
};

/** The promotions of a region. */
export const promotion = catalog.table(
  'promotion',
  {
    promotionKey: integer().primaryKey().generatedAlwaysAsIdentity(),
    /**
     * Region of the run that added it. No foreign key, because checking it row by row costs as much as the rest (11 µs
     * each).
     */
    region: text().notNull(),
    ...promotionColumns,
  },
  (t) => [unique('promotion_region_hash').on(t.region, t.promotionHash)],
);

/**
 * Columns with the meaning of a promotion's text, in `catalog.promotion` and `stage.promotion`. Replays parse it again.
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
