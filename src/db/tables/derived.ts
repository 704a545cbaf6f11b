import { date, doublePrecision, index, integer, numeric, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { bytes, instant, long } from './columns.ts';
import { derived, ops } from './schemas.ts';

/** Certified nights that all derivations have processed, and the run they used. */
export const derivedNight = derived.table(
  'night',
  {
    region: text().notNull(),
    snapshotDate: date().notNull(),
    runId: integer().notNull(),
    /** Version of the derivation rules; nights with an older version are derived again. */
    rules: smallint().notNull(),
  },
  (t) => [primaryKey({ columns: [t.region, t.snapshotDate] })],
);

const columns = () => ({
  region: text().notNull(),
  snapshotDate: date().notNull(),
  /** Change key: rises with every transaction that changes marts, in commit order. */
  changeSeq: long().notNull(),
  updatedAt: instant().notNull(),
  /**
   * Change key for open rows that began that night; also raised when a night of the region is rewritten, because ended
   * spells may reopen.
   */
  openSeq: long().notNull(),
  openUpdatedAt: instant().notNull(),
});

/** Last change of the marts of a published region-night. */
export const nightChange = ops.table('night_change', columns(), (t) => [
  primaryKey({ columns: [t.region, t.snapshotDate] }),
]);

/**
 * The same for derived data, which is written later in separate transactions. The row of the date -infinity records the
 * last deletion of derived data, of any night.
 */
export const derivedNightChange = derived.table('night_change', columns(), (t) => [
  primaryKey({ columns: [t.region, t.snapshotDate] }),
]);

/**
 * Figures of a category, or with `category_key` 0 of the whole region, on a certified night. All except
 * `products_listed` count only products with a price.
 */
export const dailyFigure = derived.table(
  'daily_figure',
  {
    region: text().notNull(),
    categoryKey: integer().notNull(),
    snapshotDate: date().notNull(),
    productsListed: integer().notNull(),
    productsAvailable: integer().notNull(),
    /** Out of stock, with the price at which they were last for sale. */
    productsCarried: integer().notNull(),
    productsOnPromotion: integer().notNull(),
    productsWithLoyaltyPrice: integer().notNull(),
    priceSumMinor: long().notNull(),
    /** Twice the median, which may lie between two prices. */
    medianPriceDoubled: long(),
    /** Sum of the loyalty discounts, in percent of the price, over products with a loyalty price. */
    loyaltyDiscountPctSum: doublePrecision().notNull(),
    /** Compared with the previous certified night; null if there is none. */
    productsCompared: integer(),
    arrivals: integer(),
    departures: integer(),
    priceIncreases: integer(),
    priceDecreases: integer(),
  },
  (t) => [primaryKey({ columns: [t.region, t.categoryKey, t.snapshotDate] })],
);

/** A pack whose content has changed, once several certified nights have confirmed it. */
export const derivedPackChange = derived.table(
  'pack_change',
  {
    region: text().notNull(),
    productKey: integer().notNull(),
    /** The product that it replaced; null if the product itself changed. */
    formerProductKey: integer(),
    /** Instant of the run that saw it first. */
    changedAt: instant().notNull(),
    /** First certified night that shows it. */
    snapshotDate: date().notNull(),
    /** Certified night that confirmed it. */
    confirmedOn: date().notNull(),
    route: text().notNull(),
    measure: text().notNull(),
    oldSize: numeric().notNull(),
    newSize: numeric().notNull(),
    oldPriceMinor: integer(),
    newPriceMinor: integer(),
    evidence: text().notNull(),
    score: numeric({ precision: 3, scale: 2 }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.productKey, t.snapshotDate] }),
    index('pack_change_by_night').on(t.region, t.confirmedOn),
  ],
);

/** `shelf`; `member`: the loyalty price if there is one, otherwise the shelf price. */
const priceBasis = () => text().notNull();

/** Parallel lists: the nth entries are one product and its prices on two nights, in minor units. */
const pricesOfTwoNights = () => ({
  productKeys: integer().array().notNull(),
  /** -1 for a product without a listed price. */
  pricesBefore: integer().array().notNull(),
  pricesAfter: integer().array().notNull(),
});

/**
 * Products whose price differs between a certified night and the one before. One row per night and basis, because a row
 * per product would need ten times the space.
 */
export const priceStep = derived.table(
  'price_step',
  {
    region: text().notNull(),
    snapshotDate: date().notNull(),
    priceBasis: priceBasis(),
    ...pricesOfTwoNights(),
  },
  (t) => [primaryKey({ columns: [t.region, t.snapshotDate, t.priceBasis] })],
);

/**
 * Merged steps of a week and a month, only for the last night: products with a price on it and another, or none, on
 * the night `since`. This is the most frequent query.
 */
export const priceMove = derived.table(
  'price_move',
  {
    region: text().notNull(),
    since: date().notNull(),
    until: date().notNull(),
    priceBasis: priceBasis(),
    ...pricesOfTwoNights(),
  },
  (t) => [primaryKey({ columns: [t.region, t.since, t.priceBasis] })],
);

/** A British and an Irish product that are the same article. */
export const regionPair = derived.table(
  'region_pair',
  {
    ukProductKey: integer().notNull(),
    ieProductKey: integer().notNull(),
    /** 1: by barcode, 2: by base product number, 3: by brand, name and content. */
    tier: smallint().notNull(),
    score: numeric({ precision: 3, scale: 2 }).notNull(),
    /** Since when both products are unchanged. */
    since: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.ukProductKey, t.ieProductKey] }), index('region_pair_by_ie').on(t.ieProductKey)],
);

/** Prices of pairs, only of the last night derived in both regions and of four weeks before: pages read all of them. */
export const pairPrice = derived.table(
  'pair_price',
  {
    snapshotDate: date().notNull(),
    ukProductKey: integer().notNull(),
    ieProductKey: integer().notNull(),
    ukLeafKey: integer(),
    /** In minor units; null: not listed; -1: without a price. */
    ukMinor: integer(),
    ieMinor: integer(),
  },
  (t) => [primaryKey({ columns: [t.snapshotDate, t.ukProductKey, t.ieProductKey] })],
);

/**
 * Facts about a product when a promotion began: its price that night and in the nights before. Same key as
 * `catalog.product_promotion`. Known nights are certified nights that listed the product with a price, and lost nights
 * between two that show the same one.
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
    /** Lost nights of those 30 days that are not known. */
    priorNightsLost: smallint(),
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

/**
 * Price indices of a category, or with `category_key` 0 of the whole region, in a period; 100 in the period of
 * `base_start`. Null if nothing can be compared.
 */
export const priceIndex = derived.table(
  'price_index',
  {
    region: text().notNull(),
    /** `day`, `week` (from Monday) or `month`. */
    period: text().notNull(),
    categoryKey: integer().notNull(),
    periodStart: date().notNull(),
    baseStart: date().notNull(),
    /** Number of certified nights in the period and in the base period. */
    nights: smallint().notNull(),
    baseNights: smallint().notNull(),
    /** Positions: src/followers/derive/price-index/index-rows.ts. */
    values: doublePrecision().array().notNull(),
    counts: integer().array().notNull(),
    /** Compared with the previous period; null if there is none. */
    arrivals: integer(),
    departures: integer(),
    /** Sum of logarithms: last prices of departed products by those before they were cleared. */
    departureLogs: doublePrecision(),
    /** Last night of the derivation that wrote the row. */
    derivedOn: date().notNull(),
  },
  (t) => [primaryKey({ columns: [t.region, t.period, t.categoryKey, t.periodStart] })],
);

/**
 * What a home department adds to the logarithm of its region's GEKS index of `shelf_adjusted` since the base period;
 * `category_key` 0: products without one.
 */
export const indexPart = derived.table(
  'index_part',
  {
    region: text().notNull(),
    period: text().notNull(),
    periodStart: date().notNull(),
    categoryKey: integer().notNull(),
    log: doublePrecision().notNull(),
  },
  (t) => [primaryKey({ columns: [t.region, t.period, t.periodStart, t.categoryKey] })],
);

/** Prices of all products in each period of an index's window, packed. */
export const periodPanel = derived.table(
  'period_panel',
  {
    region: text().notNull(),
    period: text().notNull(),
    periodStart: date().notNull(),
    /** Last night of the period so far. */
    throughDate: date().notNull(),
    panel: bytes().notNull(),
    /** Jevons indices by category from the earlier periods of its window. */
    links: bytes().notNull(),
  },
  (t) => [primaryKey({ columns: [t.region, t.period, t.periodStart] })],
);
