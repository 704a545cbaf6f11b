import { integer, numeric, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { hash16, instant } from './columns.ts';
import { stage } from './schemas.ts';

/** Promotions of new and changed products in an unfinished run. */
export const stagePromotion = stage.table(
  'promotion',
  {
    runId: integer().notNull(),
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
  (t) => [primaryKey({ columns: [t.runId, t.promotionHash] })],
);
