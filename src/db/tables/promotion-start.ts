import { date, index, integer, numeric, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { derived } from './schemas.ts';

/**
 * What was known of a product when a promotion began on it: what it cost that night and in the nights before. The key
 * is that of `catalog.product_promotion`. Known nights are certified nights on which the product was listed with a
 * price.
 */
export const promotionStart = derived.table(
  'promotion_start',
  {
    productKey: integer().notNull(),
    promotionKey: integer().notNull(),
    seenFrom: instant().notNull(),
    region: text().notNull(),
    /** The first certified night on which it was in effect. */
    snapshotDate: date().notNull(),
    beganOn: date().notNull(),
    /** Of that night; the unit price only where the promotion is one per unit of the same measure. */
    priceMinor: integer(),
    unitPrice: numeric(),
    /** Lowest price of the 30 days before it began, and on how many of them a price is known. */
    lowestPriceMinor: integer(),
    nightsKnown: smallint().notNull(),
    /** The price of one product, or of one unit, that it announces as reduced; null when it announces none. */
    reducedPrice: numeric(),
    /**
     * When the uninterrupted series of cuts began that this one belongs to, and the lowest price of the 30 days before.
     */
    seriesBeganOn: date(),
    priorPrice: numeric(),
    priorNightsKnown: smallint(),
    /** The price of most of the last 56 certified nights before it began, how many had it, and how many are known. */
    usualPriceMinor: integer(),
    usualNights: smallint(),
    usualNightsKnown: smallint().notNull(),
    /**
     * What it announces against, how far the reduced price lies below that and below the prior price, and the verdict
     * or why there is none.
     */
    referencePrice: numeric(),
    announcedPct: numeric(),
    realPct: numeric(),
    /** The ten percent in which the announced depth lies: -10, 0, 10 … 70. */
    depthFrom: smallint(),
    priorPriceCheck: text(),
    priorPriceReason: text(),
  },
  (t) => [
    primaryKey({ columns: [t.productKey, t.promotionKey, t.seenFrom] }),
    index('promotion_start_by_night').on(t.snapshotDate),
    // All that pages count by: they read it alone.
    index('promotion_start_by_verdict').on(
      t.region,
      t.snapshotDate,
      t.priorPriceCheck,
      t.priorPriceReason,
      t.depthFrom,
    ),
  ],
);
