import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CategoryGroups, createCategoryGroups } from '../../src/derive/category-groups.ts';
import type { IndexedPeriod } from '../../src/derive/indexed-period.ts';
import { packComparisons, packFigures, unpackComparisons, unpackFigures } from '../../src/derive/packed-window.ts';
import { type Panel, panelOf } from '../../src/derive/panel.ts';
import { createPriceIndexer, type IndexerState } from '../../src/derive/price-index.ts';
import { type Book, geksSeries, jevons, type Prices } from './reference-index.ts';

const noCategories = (): CategoryGroups => createCategoryGroups(new Map());

function panel(prices: Prices, n: number, groups: CategoryGroups, memberPrices: Prices = prices): Panel {
  const all = groups.ofDirect([]);
  const [shelf, member] = [prices, memberPrices].map((each) => Float64Array.from(each, (price) => price ?? 0));
  return panelOf(
    {
      start: startOf(n),
      nights: Uint16Array.from(prices, (price) => (price === null ? 0 : 1)),
      sum: { shelf: shelf!, member: member! },
      group: new Int32Array(prices.length).fill(all),
    },
    groups,
  );
}

const rise = (third: string | null) => ['1.000000', '1.100000', third, '1.210000'];

const startOf = (n: number): string => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10);

function indexed(book: Book, window: number, memberBook: Book = book): IndexedPeriod[] {
  const groups = noCategories();
  const panels = book.map((prices, n) => panel(prices, n, groups, memberBook[n]));
  const basePanel = (start: string) => panels.find((each) => each.start === start)!;
  const indexer = createPriceIndexer({ window, groups, basePanel });
  return panels.map((each) => indexer.push(each));
}

/** Base 1. */
const value = (column: Float64Array): number | null => (Number.isNaN(column[0]) ? null : Math.exp(column[0]!));

/** Some products are always there at moderate prices, so that no series ends; the others come, go, and jump beyond the fences. */
const books = fc
  .record({
    periods: fc.integer({ min: 2, max: 14 }),
    staying: fc.integer({ min: 1, max: 3 }),
    moving: fc.integer({ min: 0, max: 6 }),
    seed: fc.infiniteStream(fc.double({ min: 0.05, max: 1, noNaN: true })),
  })
  .map(({ periods, staying, moving, seed }) => {
    const next = () => seed.next().value as number;
    return Array.from({ length: periods }, () =>
      Array.from({ length: staying + moving }, (_, i) =>
        i < staying ? Math.round(100 + next() * 800) : next() < 0.4 ? null : Math.round(20 + next() * 400),
      ),
    );
  });

const close = (a: number | null, b: number | null, what: string) => {
  if (a === null || b === null) expect(a, what).toBe(b);
  else expect(Math.abs(a / b - 1), `${what}: ${a} and ${b}`).toBeLessThan(1e-9);
};

describe('price index', () => {
  it('chains and fixes Jevons, and splices GEKS-Jevons, as the formulas say, with gaps, arrivals and departures', () => {
    fc.assert(
      fc.property(books, fc.integer({ min: 2, max: 6 }), (book, window) => {
        const result = indexed(book, window);
        const spliced = geksSeries(book, window);
        let chained = 1;
        for (const [t, period] of result.entries()) {
          if (t > 0) chained *= jevons(book[t - 1]!, book[t]!)!;
          close(value(period.chained.shelf), chained, `chained ${t}`);
          close(value(period.fixed.shelf), t === 0 ? 1 : jevons(book[0]!, book[t]!), `fixed ${t}`);
          close(value(period.geks.shelf), spliced[t]!, `geks ${t}`);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('gives GEKS-Jevons, the chain and the fixed base one value where the basket is constant', () => {
    const constant = fc
      .record({ periods: fc.integer({ min: 2, max: 9 }), products: fc.integer({ min: 1, max: 5 }) })
      .chain(({ periods, products }) =>
        fc.array(fc.array(fc.integer({ min: 100, max: 900 }), { minLength: products, maxLength: products }), {
          minLength: periods,
          maxLength: periods,
        }),
      );
    fc.assert(
      fc.property(constant, fc.integer({ min: 2, max: 5 }), (book, window) => {
        for (const { chained, fixed, geks } of indexed(book, window)) {
          close(value(geks.shelf), value(chained.shelf), 'geks and chained');
          close(value(fixed.shelf), value(chained.shelf), 'fixed and chained');
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('keeps the chain of a category that empties and returns, without inventing values for the gap', () => {
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

  it('begins a new series, and says so by its base, when nothing of the window is left to compare with', () => {
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

  it('leaves out a price that moved by more than a factor of ten, and counts it', () => {
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

  it('goes on with what members pay where every shelf price jumped, and both come back to one series', () => {
    // A night that reads pounds as pence, but not the loyalty price, which stands in a text.
    const shelf = [[100], [110], [11_000], [121]];
    const member = [[80], [88], [88], [96.8]];
    const result = indexed(shelf, 4, member);
    expect(result.map(({ baseStart }) => baseStart[0])).toEqual(Array(4).fill(startOf(0)));
    for (const method of ['chained', 'geks', 'fixed'] as const) {
      expect(result.map((each) => value(each[method].shelf)?.toFixed(6) ?? null)).toEqual(rise(null));
      expect(result.map((each) => value(each[method].member)?.toFixed(6))).toEqual(rise('1.100000'));
    }
    const turned = indexed(member, 4, shelf);
    expect(turned.map(({ chained }) => value(chained.member)?.toFixed(6) ?? null)).toEqual(rise(null));
  });

  it('counts what arrived and departed since the period before, of which the first period has none', () => {
    const [first, second] = indexed(
      [
        [100, 100, null],
        [null, 110, 90],
      ],
      5,
    );
    expect([first!.arrivals, first!.departures]).toEqual([null, null]);
    expect([second!.arrivals![0], second!.departures![0]]).toEqual([1, 1]);
  });

  it('goes on from earlier periods as if it had never stopped', () => {
    fc.assert(
      fc.property(books, fc.integer({ min: 2, max: 5 }), fc.nat(), (book, window, at) => {
        const groups = noCategories();
        const panels = book.map((prices, n) => panel(prices, n, groups));
        const basePanel = (start: string) => panels.find((each) => each.start === start)!;
        const whole = createPriceIndexer({ window, groups, basePanel });
        const expected = panels.map((each) => whole.push(each));
        const cut = at % book.length;
        const before = createPriceIndexer({ window, groups, basePanel });
        const first = panels.slice(0, cut).map((each) => before.push(each));
        const earlier = panels
          .slice(0, cut)
          .map((each, n) => ({ panel: each, published: first[n]! }))
          .slice(-(window - 1));
        const after = createPriceIndexer({ window, groups, basePanel, earlier });
        const result = [...first, ...panels.slice(cut).map((each) => after.push(each))];
        for (const [t, period] of result.entries()) {
          close(value(period.geks.shelf), value(expected[t]!.geks.shelf), `geks ${t}`);
          close(value(period.chained.shelf), value(expected[t]!.chained.shelf), `chained ${t}`);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('goes on from what was packed of where it stood, and of a period that was not over, to the last bit', async () => {
    await fc.assert(
      fc.asyncProperty(
        books,
        fc.integer({ min: 2, max: 5 }),
        fc.nat(),
        fc.boolean(),
        async (book, window, at, isBegun) => {
          const groups = noCategories();
          const panels = book.map((prices, n) => panel(prices, n, groups));
          const basePanel = (start: string) => panels.find((each) => each.start === start)!;
          const whole = createPriceIndexer({ window, groups, basePanel });
          const expected = panels.map((each) => whole.push(each));
          const cut = 1 + (at % (book.length - 1));
          const before = createPriceIndexer({ window, groups, basePanel });
          for (const each of panels.slice(0, cut)) before.push(each);
          // Half of the next period: what of it is known then is something else than what it is in the end.
          if (isBegun) before.push({ ...panels[cut - 1]!, start: panels[cut]!.start });
          const { periods, comparisons } = before.state()!;
          const packed = await packComparisons(comparisons.sums, groups);
          const from: IndexerState = {
            periods: await Promise.all(
              periods.slice(0, isBegun ? -1 : undefined).map(async ({ period, published, since }) => {
                const packedFigures = await packFigures({ ...period, since }, groups);
                const { since: unpacked, ...figures } = unpackFigures(packedFigures, groups);
                return { published, period: { ...period, ...figures }, since: unpacked };
              }),
            ),
            comparisons: { latest: comparisons.latest, sums: unpackComparisons(packed, groups) },
          };
          const after = createPriceIndexer({ window, groups, basePanel, from });
          for (const [n, each] of panels.slice(cut).entries()) {
            const { chained, fixed, matched, outliers, arrivals, departures } = after.push(each);
            const whole = expected[cut + n]!;
            expect(chained).toStrictEqual(whole.chained);
            expect([fixed, matched, outliers]).toStrictEqual([whole.fixed, whole.matched, whole.outliers]);
            expect([arrivals, departures]).toStrictEqual([whole.arrivals, whole.departures]);
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});
