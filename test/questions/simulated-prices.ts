import type { PeriodPrices } from '../../src/questions/index-methods.ts';
import { createChance } from '../support/chance.ts';

/** How the products of a simulated category behave. */
export interface Market {
  /** Share of products that leave each month; as many others arrive. */
  readonly leaving: number;
  /** Share of products at 30 % off in a month. */
  readonly onSale: number;
  /** Share of leaving products whose last month is at 60 % off. */
  readonly clearance: number;
  /** Share of prices that are missing for a month. */
  readonly missing: number;
}

export const calm: Market = { leaving: 0, onSale: 0, clearance: 0, missing: 0 };

/** True inflation per month, in logarithms. */
const monthly = 0.004;

/** Prices of a category whose true index is known: each product follows it, with an error of its own each month. */
export function simulatedPrices(market: Market, { months = 37, products = 600, seed = 1 } = {}) {
  const chance = createChance(seed);
  const truth = Array.from({ length: months }, (_, t) => monthly * t);
  const rows: [key: number, log: number][][] = truth.map(() => []);
  let next = 0;
  const alive = Array.from({ length: products }, () => born());
  for (let t = 0; t < months; t++) {
    for (const [place, product] of alive.entries()) {
      const isLeaving = chance.happens(market.leaving);
      const isGone = !isLeaving && chance.happens(market.missing);
      const cut = isLeaving && chance.happens(market.clearance) ? Math.log(0.4) : 0;
      const sale = cut === 0 && chance.happens(market.onSale) ? Math.log(0.7) : 0;
      const error = 0.02 * (chance.number() + chance.number() + chance.number() - 1.5);
      if (!isGone) rows[t]!.push([product.key, product.level + truth[t]! + error + cut + sale]);
      if (isLeaving) alive[place] = born();
    }
  }
  return { truth, periods: rows.map(periodOf) };

  function born() {
    return { key: next++, level: Math.log(50) + 3 * chance.number() };
  }
}

function periodOf(rows: readonly (readonly [key: number, log: number])[]): PeriodPrices {
  const sorted = rows.toSorted(([a], [b]) => a - b);
  return { keys: Int32Array.from(sorted, ([key]) => key), logs: Float64Array.from(sorted, ([, log]) => log) };
}
