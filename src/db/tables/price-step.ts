import { date, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { derived } from './schemas.ts';

/**
 * Products and what they cost on two nights, side by side: the nth entries of the lists are one product. In minor
 * units.
 */
const pricesOfTwoNights = () => ({
  productKeys: integer().array().notNull(),
  /** -1 for what was not listed with a price. */
  pricesBefore: integer().array().notNull(),
  pricesAfter: integer().array().notNull(),
});

/**
 * Products that cost something else on a certified night than on the certified night before. A row a night: one a
 * product would take ten times the room.
 */
export const priceStep = derived.table(
  'price_step',
  {
    region: text().notNull(),
    snapshotDate: date().notNull(),
    ...pricesOfTwoNights(),
    /**
     * How many of them stand in front because they have no step on the 30 days before. Of 31 days each product is at
     * most once among
     * those: they are put together without a look at each other.
     */
    steady: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.region, t.snapshotDate] })],
);

/**
 * The steps of a week and of a month put together, for the last night alone: products with a price on the night `since`
 * and another on the last. It is asked far more than the nights before it.
 */
export const priceMove = derived.table(
  'price_move',
  { region: text().notNull(), since: date().notNull(), until: date().notNull(), ...pricesOfTwoNights() },
  (t) => [primaryKey({ columns: [t.region, t.since] })],
);
