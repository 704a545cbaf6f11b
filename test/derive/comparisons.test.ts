import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCategoryGroups } from '../../src/derive/category-groups.ts';
import { createComparisons } from '../../src/derive/comparisons.ts';
import { comparedPanel, emptySums, type Panel, panelOf } from '../../src/derive/panel.ts';
import { compare, comparisonOf } from '../../src/derive/relatives.ts';

const products = 6;
/** Two departments; the shelves 3 and 4 are in the first of them. */
const ancestors = new Map([
  [1, [1]],
  [2, [2]],
  [3, [1, 3]],
  [4, [1, 4]],
]);

/** What a product cost; null: it was not there. Free, far beyond the fences, and a mean of several nights among them. */
const offer = fc.option(
  fc.record({
    price: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 50, max: 200 }) },
      { weight: 1, arbitrary: fc.constantFrom(0, 5, 70_000, 1 / 3, 199.5) },
    ),
    saving: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(30)),
    shelves: fc.oneof({ weight: 6, arbitrary: fc.constant([3]) }, fc.subarray([2, 3, 4], { minLength: 1 })),
  }),
  { freq: 5 },
);

/** Most of a night is what the night before was. */
const nights = fc
  .array(
    fc.record({
      changes: fc.array(fc.record({ product: fc.nat(products - 1), offer }), { maxLength: 4 }),
      /** The period goes on: its panel takes the place of what it was so far. */
      isSamePeriod: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
      /** Goes on from what was kept of it, as another process does. */
      isResumed: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.constant(true)),
    }),
    { minLength: 2, maxLength: 14 },
  )
  .chain((all) => fc.tuple(fc.constant(all), fc.array(offer, { minLength: products, maxLength: products })));

describe('comparisons of the latest period with earlier ones', () => {
  it('say the same, to the last bit, when brought forward by what changed as when compared anew', () => {
    fc.assert(
      fc.property(nights, fc.integer({ min: 1, max: 5 }), ([all, first], window) => {
        const groups = createCategoryGroups(ancestors);
        const offers = [...first];
        const panels = new Map<string, Panel>();
        let comparisons = createComparisons(groups);
        let period = 0;
        for (const [n, { changes, isSamePeriod, isResumed }] of all.entries()) {
          for (const { product, offer } of changes) offers[product] = offer;
          if (n > 0 && !isSamePeriod) period++;
          const start = `2026-01-${10 + period}`;
          const sums = emptySums(start, products);
          for (const [i, one] of offers.entries()) {
            if (!one) continue;
            sums.nights[i] = 1;
            sums.sum.shelf[i] = one.price;
            sums.sum.member[i] = Math.max(0, one.price - one.saving);
            sums.group[i] = groups.ofDirect(one.shelves);
          }
          const panel = panelOf(sums, groups);
          if (isResumed) comparisons = createComparisons(groups, comparisons.state() ?? undefined);
          // The first stays, as a base does.
          comparisons.keepOnly(
            new Set([...panels.keys()].filter((_, k, { length }) => k === 0 || k > length - 2 - window)),
          );
          comparisons.next(panel, null, (start) => comparedPanel(panels.get(start)!));
          panels.set(start, panel);
          const compared = [...comparisons.state()!.sums.keys()];
          for (const earlier of compared)
            expect(comparisons.with(earlier)).toStrictEqual(comparisonOf(compare(panels.get(earlier)!, panel, groups)));
          if (period > 0) expect(compared).toContain(`2026-01-${9 + period}`);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
