import { describe, expect, it } from 'vitest';
import {
  allSplices,
  chainedJevons,
  expanding,
  geksIndex,
  jevons,
  type PeriodPrices,
  rolling,
  timeProductDummy,
  withImputedGaps,
  withoutClearances,
} from '../../src/questions/index-methods.ts';
import { calm, type Market, simulatedPrices } from './simulated-prices.ts';

const busy: Market = { leaving: 0.06, onSale: 0.15, clearance: 0.3, missing: 0.08 };
const { periods } = simulatedPrices(busy, { months: 16, products: 90, seed: 7 });
const maps = periods.map(mapOf);
const count = periods.length;

describe('methods of the price index against plain formulas', () => {
  it('the Jevons index is the geometric mean of the ratios of matched prices', () => {
    for (const [from, to] of [
      [0, 1],
      [2, 9],
    ] as const)
      expect(jevons(periods[from]!, periods[to]!).log).toBeCloseTo(plainJevons(from, to), 12);
  });

  it('GEKS averages the routes through every period of the window', () => {
    const index = geksIndex(periods)(3, 12);
    for (const [place, value] of index.entries()) expect(value).toBeCloseTo(plainGeks(3, 12, 3 + place), 12);
  });

  it('the time product dummy has the residuals of least squares: they sum to 0 by product and by period', () => {
    const index = timeProductDummy(periods)(3, 12);
    const window = maps.slice(3, 13);
    const level = new Map<number, number>();
    for (const key of new Set(window.flatMap((prices) => [...prices.keys()]))) {
      const own = window.flatMap((prices, t) => (prices.has(key) ? [prices.get(key)! - index[t]!] : []));
      level.set(key, own.reduce((sum, log) => sum + log, 0) / own.length);
    }
    for (const [t, prices] of window.entries()) {
      const residuals = [...prices].map(([key, log]) => log - index[t]! - level.get(key)!);
      expect(residuals.reduce((sum, residual) => sum + residual, 0)).toBeCloseTo(0, 9);
    }
    expect(index[0]).toBe(0);
  });

  it.each(allSplices)('a rolling window is spliced at $at, on published values: $isOnPublished', (splice) => {
    const length = 7;
    const series = rolling(count, length, geksIndex(periods), splice);
    const expected = Array.from({ length }, (_, t) => plainGeks(0, length - 1, t));
    for (let t = length; t < count; t++) {
      const first = t - length + 1;
      const at = { movement: [t - 1], window: [first], half: [t - 3], mean: range(first, t - 1) }[splice.at];
      const links = at.map((s) => {
        const movement = plainGeks(first, t, t) - plainGeks(first, t, s);
        if (splice.isOnPublished) return expected[s]! + movement;
        return expected[t - 1]! + movement - (plainGeks(first - 1, t - 1, t - 1) - plainGeks(first - 1, t - 1, s));
      });
      expected.push(links.reduce((sum, link) => sum + link, 0) / links.length);
    }
    for (const [t, value] of series.entries()) expect(value).toBeCloseTo(expected[t]!, 11);
  });

  it('an expanding window compares each period with its base only, and moves the base on', () => {
    const series = expanding(count, 6, geksIndex(periods));
    for (let t = 1; t < count; t++) {
      const base = t - (((t - 1) % 6) + 1);
      expect(series[t]).toBeCloseTo(series[base]! + plainGeks(base, t, t), 11);
    }
  });

  it('a gap is filled with the last price, moved as the products that have prices moved', () => {
    const [key] = [...maps[0]!.keys()].filter((each) => !maps[1]!.has(each) && maps[2]!.has(each));
    const filled = mapOf(withImputedGaps(periods)[1]!);
    expect(filled.get(key!)).toBeCloseTo(maps[0]!.get(key!)! + plainJevons(0, 1), 12);
    expect(withImputedGaps(periods).at(-1)).toEqual(periods.at(-1));
  });

  it('only a halved price in the last period of a product that leaves is left out', () => {
    const kept = withoutClearances(periods).map(mapOf);
    for (const [t, prices] of maps.entries()) {
      for (const [key, log] of prices) {
        const isLast = maps.slice(t + 1).every((later) => !later.has(key));
        const before = maps[t - 1]?.get(key);
        const isClearance = isLast && t < count - 1 && before !== undefined && log - before <= Math.log(0.5);
        expect(kept[t]!.has(key)).toBe(!isClearance);
      }
    }
  });

  it('a period that shares no product with the others has no value', () => {
    const apart: PeriodPrices = { keys: Int32Array.of(1_000_000), logs: Float64Array.of(5) };
    const window = [periods[0]!, apart, periods[1]!];
    for (const method of [geksIndex, timeProductDummy])
      expect(method(window)(0, 2)).toEqual([0, Number.NaN, expect.closeTo(plainJevons(0, 1), 12)]);
  });
});

const page = `# Index methods and the truth

This page shows how far each index method is from the truth. It is generated from simulated categories of 400 products
over 37 months, in which every price follows a known index from 100 to 115, with an error of its own. Each number is the
largest error in index points over three categories of a kind. Windows have 25 months.

* calm: no product leaves
* churn: 5 % of the products leave each month, as many others arrive, and 10 % of the prices are missing
* sales: 5 % leave, and 20 % of the products are at 30 % off
* clearances: 5 % leave, half of them after a last month at 60 % off

Clearances bias every method, because nothing in the data rises again when the product is gone. The last period cannot
be judged: it is unknown which products will leave after it. \`pricebook index-options\` shows all methods for your
data.

`;

const markets: readonly (readonly [name: string, market: Market])[] = [
  ['calm', calm],
  ['churn', { ...calm, leaving: 0.05, missing: 0.1 }],
  ['sales', { ...calm, leaving: 0.05, onSale: 0.2 }],
  ['clearances', { ...calm, leaving: 0.05, clearance: 0.5 }],
];

describe('methods of the price index where the true index is known', () => {
  it('the page lists the error of each method in each market (-u rewrites it)', async () => {
    const columns = markets.map(([, market]) => errorsIn(market));
    const rows = [...columns[0]!.keys()].map((name) => [
      name,
      ...columns.map((errors) => errors.get(name)!.toFixed(2)),
    ]);
    const head = [
      ['method', ...markets.map(([name]) => name)],
      ['---', ...markets.map(() => '---:')],
    ];
    const lines = [...head, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
    await expect(`${page}${lines.join('\n')}\n`).toMatchFileSnapshot('../../docs/analyse/index-errors.md');
  });
});

/** Largest error of each method over 37 months of three markets, in points of an index that rises from 100 to 115. */
function errorsIn(market: Market): Map<string, number> {
  const errors = new Map<string, number>();
  for (const seed of [1, 2, 3]) {
    const { truth, periods } = simulatedPrices(market, { seed, products: 400 });
    for (const [name, series] of Object.entries(methodsOf(periods)))
      for (const [t, log] of series.entries()) {
        const error = Math.abs(100 * Math.exp(log) - 100 * Math.exp(truth[t]!));
        errors.set(name, Math.max(errors.get(name) ?? 0, error));
      }
  }
  return errors;
}

function methodsOf(all: readonly PeriodPrices[]): Record<string, readonly number[]> {
  const published = { at: 'mean', isOnPublished: true } as const;
  const index = geksIndex(all);
  const asPublished = (windowIndex: typeof index) => rolling(all.length, 25, windowIndex, published);
  return {
    'Jevons, chained': chainedJevons(all),
    'Jevons, fixed base': all.map((period) => jevons(all[0]!, period).log),
    ...Object.fromEntries(
      allSplices.map((splice) => [
        `GEKS-Jevons, ${splice.at} splice${splice.isOnPublished ? ' on published values' : ''}`,
        rolling(all.length, 25, index, splice),
      ]),
    ),
    'GEKS-Jevons, fixed base, expanding window': expanding(all.length, 12, index),
    'time product dummy, mean splice on published values': asPublished(timeProductDummy(all)),
    'GEKS-Jevons as published, gaps imputed': asPublished(geksIndex(withImputedGaps(all))),
    'GEKS-Jevons as published, clearances left out': asPublished(geksIndex(withoutClearances(all))),
  };
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n);

function mapOf({ keys, logs }: PeriodPrices): Map<number, number> {
  return new Map(Array.from(keys, (key, place) => [key, logs[place]!]));
}

function plainJevons(from: number, to: number): number {
  const ratios = [...maps[from]!].flatMap(([key, log]) => (maps[to]!.has(key) ? [maps[to]!.get(key)! - log] : []));
  const used = ratios.filter((ratio) => ratio >= -Math.log(10) && ratio <= Math.log(10));
  return used.reduce((sum, ratio) => sum + ratio, 0) / used.length;
}

function plainGeks(first: number, last: number, t: number): number {
  const routes = range(first, last).map((k) => plainJevons(first, k) + plainJevons(k, t));
  return routes.reduce((sum, route) => sum + route, 0) / routes.length;
}
