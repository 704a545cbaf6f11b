import { describe, expect, it } from 'vitest';
import { windowOf } from '../../src/followers/derive/price-index/period.ts';
import { adjustQuantities, type PackChange } from '../../src/followers/derive/price-index/quantity-adjustment.ts';
import { readText } from '../house/source-files.ts';
import { chainedJevons, geksIndex, type PeriodPrices, rolling } from './index-methods.ts';
import {
  type Clearance,
  calm,
  type Market,
  monthName,
  periodsOf,
  simulatedPrices,
  yearOfClearances,
} from './simulated-prices.ts';

const markets: readonly (readonly [name: string, market: Market])[] = [
  ['calm', calm],
  ['churn', { ...calm, leaving: 0.05, missing: 0.1 }],
  ['sales', { ...calm, leaving: 0.05, onSale: 0.2 }],
  ['clearances', { ...calm, leaving: 0.05, clearance: 0.5 }],
  ['shrinking', { ...calm, shrinking: 0.01 }],
];

describe('methods of the price index where the true index is known', () => {
  it('docs/analyse/accuracy.md has the errors of methods in each market', () => {
    const columns = markets.map(([, market]) => errorsIn(market));
    const rows = [...columns[0]!.keys()].map((name) =>
      ['', name, ...columns.map((errors) => errors.get(name)!.toFixed(2)), ''].join(' | ').trim(),
    );
    expect(readText('docs/analyse/accuracy.md').match(/^\|.*Jevons.*$/gm)).toEqual(rows);
  });
});

const clearances: readonly Clearance[] = [null, { share: 0.2, cut: 0.3 }, { share: 0.5, cut: 0.4 }];

/** Periods of a year, as their nights are numbered. */
const spans = {
  day: (night: number) => night,
  week: (night: number) => Math.floor(night / 7),
  month: (night: number) => Math.floor((night * 12) / 365),
} as const;

describe('drift of the index of a year in which prices end where they began', () => {
  const years = clearances.map((clearance) => yearOfClearances(clearance));
  const last = (logs: readonly number[]) => 100 * Math.exp(logs.at(-1)!);
  const drift = Object.entries(spans).map(([period, nameOf]) => {
    const periods = years.map((nights) => periodsOf(nights, nameOf));
    const window = windowOf[period as keyof typeof spans];
    const geks = periods.map((each) => last(rolling(each.length, window, geksIndex(each))));
    return { period, geks, chained: periods.map((each) => last(chainedJevons(each))) };
  });

  it('docs/analyse/accuracy.md has the drift of nights, weeks and months, and of the chain beside them', () => {
    const rows = drift.map(({ period, geks, chained }) =>
      ['', period, ...[...geks, ...chained].map((value) => value.toFixed(2)), ''].join(' | ').trim(),
    );
    expect(readText('docs/analyse/accuracy.md').match(/^\| (?:day|week|month) \|.*$/gm)).toEqual(rows);
  });

  it('months drift least, and where clearances leave, the chain of nights drifts most', () => {
    const [day, week, month] = drift.map(({ geks }) => geks.map((value) => Math.abs(value - 100)));
    for (const [n, clearance] of clearances.entries()) {
      if (clearance === null) expect(day![n]! + week![n]! + month![n]!).toBeLessThan(1e-9);
      else expect([month![n]! < week![n]!, week![n]! < day![n]!]).toEqual([true, true]);
    }
  });
});

/** Largest error of each method over 37 months of three markets, in points of an index that rises from 100 to 115. */
function errorsIn(market: Market): Map<string, number> {
  const errors = new Map<string, number>();
  for (const seed of [1, 2, 3]) {
    const simulated = simulatedPrices(market, { seed, products: 400 });
    const { truth } = simulated;
    for (const [name, series] of Object.entries(methodsOf(simulated)))
      for (const [t, log] of series.entries()) {
        const error = Math.abs(100 * Math.exp(log) - 100 * Math.exp(truth[t]!));
        errors.set(name, Math.max(errors.get(name) ?? 0, error));
      }
  }
  return errors;
}

function methodsOf({
  periods: all,
  packChanges,
}: ReturnType<typeof simulatedPrices>): Record<string, readonly number[]> {
  const asPublished = (periods: readonly PeriodPrices[]) => rolling(periods.length, 25, geksIndex(periods));
  return {
    'Jevons, chained': chainedJevons(all),
    'GEKS-Jevons, mean splice on published values': asPublished(all),
    'GEKS-Jevons as published, prices per content': asPublished(perContent(all, packChanges)),
  };
}

function perContent(all: readonly PeriodPrices[], packChanges: readonly PackChange[]): PeriodPrices[] {
  return all.map(({ keys, logs }, t) => {
    const none = new Int32Array(keys.length);
    const shelf = logs.map(Math.exp);
    const panel = { keys, nights: none.map(() => 1), shelf, member: shelf, group: none, adjusted: new Map() };
    const { adjusted } = adjustQuantities(packChanges, monthName(t), panel);
    const kept = new Map(Array.from(keys, (key, place) => [key, logs[place]!]));
    for (const [key, { nights, shelf: price }] of adjusted) {
      if (nights === 0) kept.delete(key);
      else kept.set(key, Math.log(price / nights));
    }
    const sorted = [...kept].sort(([a], [b]) => a - b);
    return { keys: Int32Array.from(sorted, ([key]) => key), logs: Float64Array.from(sorted, ([, log]) => log) };
  });
}
