import { describe, expect, it } from 'vitest';
import {
  createQuantityAdjustment,
  type PackChange,
} from '../../src/followers/derive/price-index/quantity-adjustment.ts';
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
import { pricesOf } from '../../src/questions/index-options.ts';
import { periods } from './price-index-calc/market.ts';
import { calm, type Market, monthName, simulatedPrices } from './simulated-prices.ts';

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
* shrinking: 1 % of the packs lose a fifth of their content each month at the same price, half of them as a new product
  (a relaunch); the true index is per content

Clearances bias every method, because nothing in the data rises again when the product is gone. The last period cannot
be judged: it is unknown which products will leave after it. \`pricebook index-options\` shows all methods for your
data. GEKS, the time product dummy, every splice and the expanding window agree with the published Python package
PriceIndexCalc 0.7 to eleven digits.

`;

const markets: readonly (readonly [name: string, market: Market])[] = [
  ['calm', calm],
  ['churn', { ...calm, leaving: 0.05, missing: 0.1 }],
  ['sales', { ...calm, leaving: 0.05, onSale: 0.2 }],
  ['clearances', { ...calm, leaving: 0.05, clearance: 0.5 }],
  ['shrinking', { ...calm, shrinking: 0.01 }],
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
    'GEKS-Jevons as published, prices per content': asPublished(geksIndex(perContent(all, packChanges))),
  };
}

function perContent(all: readonly PeriodPrices[], packChanges: readonly PackChange[]): PeriodPrices[] {
  const adjust = createQuantityAdjustment(packChanges);
  return all.map(({ keys, logs }, t) => {
    const none = new Int32Array(keys.length);
    const shelf = logs.map(Math.exp);
    const panel = { keys, nights: none.map(() => 1), shelf, member: shelf, group: none, adjusted: new Map() };
    return pricesOf(adjust(monthName(t), panel), 'shelf_adjusted', () => true);
  });
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
