import type { CategoryGroups } from './category-groups.ts';
import { rollUp } from './daily-figures.ts';

/** A shelf price is what everybody pays; a member price is the loyalty price where there is one, else the shelf price. */
export const bases = ['shelf', 'member'] as const;
export type PriceBasis = (typeof bases)[number];

/**
 * What a region's products cost in a period, in columns: entry n of each is the product with the nth lowest key. A product's
 * price of a period is the arithmetic mean of its nightly prices in it.
 */
export interface Panel {
  /** First day of the period. */
  readonly start: string;
  /** Natural logarithm of the price in minor units, in steps of 2^-50; NaN without a price. */
  readonly log: Readonly<Record<PriceBasis, Float64Array>>;
  /** Where the product was when it last had a price in the period. */
  readonly group: Int32Array;
  /** Products with a price, and the sum of their prices, by dense category number. */
  readonly priced: Int32Array;
  readonly priceSum: Readonly<Record<PriceBasis, Float64Array>>;
}

/** What some products cost in a period: entry n is the nth of the places asked for. */
export interface PricesAt extends Readonly<Record<PriceBasis, Float64Array>> {
  readonly group: Int32Array;
}

/** A period that others are compared with: of its prices only those are asked for that may matter. */
export interface ComparedPeriod extends Pick<Panel, 'start' | 'priced' | 'priceSum'> {
  pricesAt(places: Int32Array): PricesAt;
}

export const comparedPanel = (panel: Panel): ComparedPeriod => ({
  start: panel.start,
  priced: panel.priced,
  priceSum: panel.priceSum,
  pricesAt: (places) => pricesAt(panel, places),
});

export function pricesAt({ log, group }: Pick<Panel, 'log' | 'group'>, places: Int32Array): PricesAt {
  const found = {
    shelf: new Float64Array(places.length),
    member: new Float64Array(places.length),
    group: new Int32Array(places.length),
  };
  const { shelf, member } = log;
  for (let n = 0; n < places.length; n++) {
    const i = places[n]!;
    found.shelf[n] = shelf[i]!;
    found.member[n] = member[i]!;
    found.group[n] = group[i]!;
  }
  return found;
}

/** Nightly prices of a period, added up. */
export interface PeriodSums {
  readonly start: string;
  readonly nights: Uint16Array;
  readonly sum: Readonly<Record<PriceBasis, Float64Array>>;
  readonly group: Int32Array;
}

export function emptySums(start: string, products: number): PeriodSums {
  return {
    start,
    nights: new Uint16Array(products),
    sum: { shelf: new Float64Array(products), member: new Float64Array(products) },
    group: new Int32Array(products).fill(-1),
  };
}

/** Sums of logarithms in whole steps can be exact (relatives.ts); what is rounded away is less than a double can tell of them. */
const steps = 2 ** 50;
const roundedLog = (price: number): number => Math.round(Math.log(price) * steps) / steps;

/** Of prices in whole minor units, which nearly all are. */
const logOfWhole = Float64Array.from({ length: 2 ** 16 }, (_, price) => roundedLog(price));

export function logOf(price: number): number {
  const whole = price | 0;
  return whole === price && whole < logOfWhole.length ? logOfWhole[whole]! : roundedLog(price);
}

export function panelOf({ start, nights, sum, group }: PeriodSums, groups: CategoryGroups): Panel {
  const log = { shelf: new Float64Array(nights.length), member: new Float64Array(nights.length) };
  const priced = new Int32Array(groups.size());
  const priceSum = { shelf: new Float64Array(groups.size()), member: new Float64Array(groups.size()) };
  for (let i = 0; i < nights.length; i++) if (nights[i]! > 0) priced[group[i]!]!++;
  for (const basis of bases) {
    const [sums, logs, groupSums] = [sum[basis], log[basis], priceSum[basis]];
    for (let i = 0; i < nights.length; i++) {
      const count = nights[i]!;
      if (count === 0) {
        logs[i] = Number.NaN;
        continue;
      }
      const mean = sums[i]! / count;
      logs[i] = logOf(mean);
      groupSums[group[i]!]! += mean;
    }
  }
  const categories = groups.categoryKeys.length;
  return {
    start,
    log,
    group,
    priced: rollUp(priced, groups, categories),
    priceSum: {
      shelf: rollUp(priceSum.shelf, groups, categories),
      member: rollUp(priceSum.member, groups, categories),
    },
  };
}
