import { date, integer, numeric, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { derived } from './schemas.ts';

/**
 * Facts about a product when a promotion began: its price that night and in the nights before. Same key as
 * `catalog.product_promotion`. Known nights are certified nights that listed the product with a price.
 */
export const promotionStart = derived.table(
  'promotion_start',
  {
    productKey: integer().notNull(),
    promotionKey: integer().notNull(),
    seenFrom: instant().notNull(),
    region: text().notNull(),
    /** First certified night on which it was in effect. */
    snapshotDate: date().notNull(),
    beganOn: date().notNull(),
    /** Price of that night; the unit price only if the promotion states a price per unit of the same measure. */
    priceMinor: integer(),
    unitPrice: numeric(),
    /** Lowest price of the 30 days before, and the number of them with a known price. */
    lowestPriceMinor: integer(),
    nightsKnown: smallint().notNull(),
    /** Announced reduced price of one product or one unit; null if none is announced. */
    reducedPrice: numeric(),
    /**
     * Beginning of the uninterrupted series of cuts that includes this one, and the lowest prices of the 30 days before
     * it: for everybody, and for members (null for unit prices).
     */
    seriesBeganOn: date(),
    priorPrice: numeric(),
    priorMemberPrice: numeric(),
    priorNightsKnown: smallint(),
    /**
     * Most frequent price of the 56 certified nights before, the number of nights with it, and the number of known
     * nights.
     */
    usualPriceMinor: integer(),
    usualNights: smallint(),
    usualNightsKnown: smallint().notNull(),
    /**
     * Announced reference price, discounts against it and against the lowest price for anyone before, and the
     * verdict or the reason for none.
     */
    referencePrice: numeric(),
    announcedPct: numeric(),
    realPct: numeric(),
    /** Decile of the announced discount: -10, 0, 10 … 70. */
    depthFrom: smallint(),
    priorPriceCheck: text(),
    priorPriceReason: text(),
    /** `real`, `overstated`, `no reduction` or `too early to tell`; null with a reason. */
    verdictLabel: text(),
    /** The check against the prior price of members. */
    memberPriceCheck: text(),
  },
  // Further indexes are made after the first derivation (src/db/functions/index-products.sql).
  (t) => [primaryKey({ columns: [t.productKey, t.promotionKey, t.seenFrom] })],
);
