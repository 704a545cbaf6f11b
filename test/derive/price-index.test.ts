import { describe, expect, it } from 'vitest';
import { createCategoryGroups } from '../../src/followers/derive/category-groups.ts';
import { comparePrices, logPricesOf, pricedIn } from '../../src/followers/derive/price-index/compare-prices.ts';
import { ofBases, type Panel } from '../../src/followers/derive/price-index/panel.ts';
import {
  chainPeriod,
  computeGeks,
  type IndexedPeriod,
  type WindowPeriod,
} from '../../src/followers/derive/price-index/price-index.ts';
import type { Book, Prices } from './reference-index.ts';

const groups = createCategoryGroups(new Map());

function panelOf(prices: Prices, memberPrices: Prices = prices): Panel {
  const keys = Int32Array.from(prices.keys()).filter((key) => prices[key] !== null);
  return {
    keys,
    nights: new Int32Array(keys.length).fill(1),
    shelf: Float64Array.from(keys, (key) => prices[key]!),
    member: Float64Array.from(keys, (key) => memberPrices[key]!),
    group: new Int32Array(keys.length).fill(groups.ofDirect(0)),
    adjusted: new Map(),
  };
}

/** Indexes the periods of a book of one category, the whole region. */
function indexed(book: Book, windowLength: number, memberBook: Book = book): IndexedPeriod[] {
  const panels = new Map(book.map((prices, n) => [startOf(n), panelOf(prices, memberBook[n])]));
  const comparison = (from: string, to: string) =>
    comparePrices(logPricesOf(panels.get(from)!), logPricesOf(panels.get(to)!), groups);
  const result: (IndexedPeriod & WindowPeriod)[] = [];
  for (const [start, panel] of panels) {
    const window = result.slice(1 - windowLength);
    const comparisons = new Map(window.map((earlier) => [earlier.start, comparison(earlier.start, start)]));
    const since = new Map(
      [...comparisons].map(([earlier, compared]) => [
        earlier,
        { ...ofBases((basis) => compared[basis].logJevons), parts: compared.parts },
      ]),
    );
    const period = {
      ...chainPeriod({ start, priced: pricedIn(logPricesOf(panel), groups) }, { window, comparisons }),
      since,
    };
    computeGeks([...window, period], groups.homes);
    result.push(period);
  }
  return result;
}

const startOf = (n: number): string => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10);

const rise = (third: string | null) => ['1.000000', '1.100000', third, '1.210000'];

/** Base 1. */
const value = (column: Float64Array): number | null => (Number.isNaN(column[0]) ? null : Math.exp(column[0]!));

describe('price index', () => {
  it('the chain survives an empty category without inventing values', () => {
    const result = indexed([[100], [110], [null], [null], [121]], 5);
    expect(result.map(({ chained }) => value(chained.shelf)?.toFixed(6) ?? null)).toEqual([
      '1.000000',
      '1.100000',
      null,
      null,
      '1.210000',
    ]);
    expect(result.map(({ baseStart }) => baseStart[0])).toEqual([startOf(0), startOf(0), '', '', startOf(0)]);
  });

  it('a new series with its own base starts if nothing in the window is comparable', () => {
    const away = indexed([[100], [110], [null], [null], [null], [121]], 3);
    expect(away.at(-1)!.baseStart[0]).toBe(startOf(5));
    const replaced = indexed(
      [
        [100, null],
        [110, null],
        [null, 500],
        [null, 550],
      ],
      5,
    );
    expect(replaced.map(({ baseStart }) => baseStart[0])).toEqual([startOf(0), startOf(0), startOf(2), startOf(2)]);
    expect(value(replaced[3]!.geks.shelf)).toBeCloseTo(1.1, 12);
  });

  it('a price that changes by more than a factor of ten is excluded and counted', () => {
    const [, second] = indexed(
      [
        [100, 100, 200],
        [110, 1_001, 19],
      ],
      5,
    );
    expect([second!.matched.shelf[0], second!.outliers.shelf[0]]).toEqual([1, 2]);
    expect(value(second!.chained.shelf)).toBeCloseTo(1.1, 12);
  });

  it('a standard error is that of the mean of the logarithms, and windows add up', () => {
    const book = [
      [100, 100, 100],
      [110, 100, 100],
      [110, 100, 121],
      [110, 121, 121],
    ];
    const errors = indexed(book, 3).map(({ variance }) => Math.sqrt(variance.shelf[0]!));
    // Of ln 1.1, 0, 0: mean and deviation from it by hand.
    const rise = Math.log(1.1);
    const of = (...logs: number[]) => {
      const mean = logs.reduce((sum, log) => sum + log, 0) / 3;
      return Math.sqrt(logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / 2 / 3);
    };
    const oneNight = of(rise, 0, 0);
    // The third window begins on the second night.
    const expected = [0, oneNight, of(rise, 0, 2 * rise), Math.hypot(oneNight, of(0, 2 * rise, 2 * rise))];
    for (const [night, error] of errors.entries()) expect(error).toBeCloseTo(expected[night]!, 12);
    // A single product says nothing about others.
    expect(indexed([[100], [110]], 3)[1]!.variance.shelf[0]).toBeNaN();
  });

  it('if all shelf prices jump, the series continues with member prices', () => {
    // A night that reads pounds as pence, except the loyalty price, which is part of a text.
    const shelf = [[100], [110], [11_000], [121]];
    const member = [[80], [88], [88], [96.8]];
    const result = indexed(shelf, 4, member);
    expect(result.map(({ baseStart }) => baseStart[0])).toEqual(Array(4).fill(startOf(0)));
    for (const method of ['chained', 'geks'] as const) {
      expect(result.map((each) => value(each[method].shelf)?.toFixed(6) ?? null)).toEqual(rise(null));
      expect(result.map((each) => value(each[method].member)?.toFixed(6))).toEqual(rise('1.100000'));
    }
    const turned = indexed(member, 4, shelf);
    expect(turned.map(({ chained }) => value(chained.member)?.toFixed(6) ?? null)).toEqual(rise(null));
  });
});
