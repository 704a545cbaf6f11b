import { date, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { derived } from './schemas.ts';

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
    /**
     * Number of products at the front of the lists without a step in the previous 30 days. In 31 days each product
     * occurs at most once among them, so they can be merged without comparison.
     */
    steady: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.region, t.snapshotDate, t.priceBasis] })],
);

/**
 * Merged steps of a week and a month, only for the last night: products with a price on the night `since` and another
 * on the last. This is the most frequent query.
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
