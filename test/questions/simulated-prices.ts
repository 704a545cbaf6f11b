import type { PackChange } from '../../src/followers/derive/price-index/quantity-adjustment.ts';
import { createChance } from '../support/chance.ts';
import type { PeriodPrices } from './index-methods.ts';

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
  /** Share of packs that lose a fifth of their content and price in a month, half as a new product. */
  readonly shrinking: number;
}

export const calm: Market = { leaving: 0, onSale: 0, clearance: 0, missing: 0, shrinking: 0 };

/** True inflation per month, in logarithms. */
const monthly = 0.004;

/** Content of a shrunk pack, as a share of the former one. */
const kept = 0.8;

/**
 * Prices of a category whose true index is known: each product's price per content follows it, with an error of its
 * own each month. `packChanges` are those of `marts.fct_pack_change`, confirmed on the number of their month.
 */
export function simulatedPrices(market: Market, { months = 37, products = 600, seed = 1 } = {}) {
  const chance = createChance(seed);
  const truth = Array.from({ length: months }, (_, t) => monthly * t);
  const rows: [key: number, log: number][][] = truth.map(() => []);
  const packChanges: PackChange[] = [];
  let next = 0;
  const alive = Array.from({ length: products }, () => born());
  for (let t = 0; t < months; t++) {
    for (const [place, product] of alive.entries()) {
      if (t > 0 && market.shrinking > 0 && chance.happens(market.shrinking)) shrink(product, t);
      const isLeaving = chance.happens(market.leaving);
      const isGone = !isLeaving && chance.happens(market.missing);
      const cut = isLeaving && chance.happens(market.clearance) ? Math.log(0.4) : 0;
      const sale = cut === 0 && chance.happens(market.onSale) ? Math.log(0.7) : 0;
      const error = 0.02 * (chance.number() + chance.number() + chance.number() - 1.5);
      if (!isGone) rows[t]!.push([product.key, product.level + truth[t]! + error + cut + sale]);
      if (isLeaving) alive[place] = born();
    }
  }
  return { truth, periods: rows.map(periodOf), packChanges };

  function born() {
    return { key: next++, level: Math.log(50) + 3 * chance.number() };
  }

  function shrink(product: ReturnType<typeof born>, t: number): void {
    const formerKey = chance.happens(0.5) ? product.key : null;
    if (formerKey !== null) product.key = next++;
    product.level += Math.log(kept);
    // A new product with another base product number is not recognised.
    if (formerKey === null || chance.happens(0.5))
      packChanges.push({ productKey: product.key, formerKey, confirmedOn: monthName(t), ratio: 1 / kept });
  }
}

/** How many of the products that leave are cleared in their last two weeks, and by how much; null: none. */
export type Clearance = { readonly share: number; readonly cut: number } | null;

/**
 * Nights of a year in which no price changes but for clearances: from the second month on, a third of the products
 * leave. After six weeks half of them return at their price, and a new product takes the place of the others. Nothing
 * is cleared or away at the end, so the true index is 100.
 */
export function yearOfClearances(clearance: Clearance, { products = 900, seed = 1 } = {}): Map<number, number>[] {
  const chance = createChance(seed);
  const nights = Array.from({ length: 365 }, () => new Map<number, number>());
  for (let place = 0; place < products; place += 1) {
    const price = 50 * Math.exp(3 * chance.number());
    const leaves = chance.happens(1 / 3) ? chance.whole(45, 280) : Number.POSITIVE_INFINITY;
    const cut = clearance !== null && chance.happens(clearance.share) ? clearance.cut : 0;
    const returning = chance.happens(0.5) ? place : products + place;
    for (const [night, prices] of nights.entries()) {
      if (night >= leaves + 42) prices.set(returning, price);
      else if (night < leaves) prices.set(place, night >= leaves - 14 ? price * (1 - cut) : price);
    }
  }
  return nights;
}

/** Mean prices of consecutive periods, whose nights have the same name. */
export function periodsOf(nights: readonly ReadonlyMap<number, number>[], nameOf: (night: number) => number) {
  const sums = new Map<number, Map<number, [sum: number, nights: number]>>();
  for (const [night, prices] of nights.entries()) {
    const period = sums.get(nameOf(night)) ?? new Map<number, [number, number]>();
    sums.set(nameOf(night), period);
    for (const [key, price] of prices) {
      const [sum, count] = period.get(key) ?? [0, 0];
      period.set(key, [sum + price, count + 1]);
    }
  }
  return [...sums.values()].map((period) =>
    periodOf(Array.from(period, ([key, [sum, count]]) => [key, Math.log(sum / count)] as const)),
  );
}

/** Sorts as the months do. */
export const monthName = (t: number): string => String(t).padStart(3, '0');

function periodOf(rows: readonly (readonly [key: number, log: number])[]): PeriodPrices {
  const sorted = rows.toSorted(([a], [b]) => a - b);
  return { keys: Int32Array.from(sorted, ([key]) => key), logs: Float64Array.from(sorted, ([, log]) => log) };
}
