import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCategoryGroups } from '../../src/derive/category-groups.ts';
import { createMedians } from '../../src/derive/medians.ts';
import { emptyNight, listing, unknown } from '../../src/derive/region-night.ts';

const products = 7;
const ancestors = new Map([
  [1, [1]],
  [2, [1, 2]],
  [3, [3]],
]);

const states = fc.record({
  product: fc.nat(products - 1),
  isListed: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
  /** Around a multiple of 256, and far from all others. */
  price: fc.oneof(fc.integer({ min: 250, max: 260 }), fc.constantFrom(0, 1, 70_000, 1_000_000, unknown)),
  shelves: fc.subarray([2, 3]),
});

it('medians are those of the prices in order, however prices came, moved and went', () => {
  fc.assert(
    fc.property(fc.array(fc.array(states, { maxLength: 5 }), { minLength: 1, maxLength: 20 }), (nights) => {
      const groups = createCategoryGroups(ancestors);
      const keys = Int32Array.from({ length: products }, (_, i) => i + 1);
      const night = emptyNight(keys, groups.ofDirect([]));
      const medians = createMedians(groups);
      medians.move(null, night, Int32Array.from(keys.keys()));
      for (const changes of nights) {
        for (const { product, isListed, price, shelves } of changes) {
          const place = Int32Array.of(product);
          const before = structuredClone(night);
          night.listed[product] = isListed ? listing.unavailable : listing.none;
          night.price[product] = price;
          night.group[product] = groups.ofDirect(shelves);
          medians.move(before, night, place);
        }
        const expected = groups.categoryKeys.map((_, c) => {
          const prices = [...night.price]
            .filter(
              (price, i) =>
                night.listed[i] !== listing.none && price !== unknown && groups.members(night.group[i]!).includes(c),
            )
            .sort((a, b) => a - b);
          const { length } = prices;
          return length === 0 ? unknown : prices[(length - 1) >> 1]! + prices[length >> 1]!;
        });
        expect([...medians.doubled()]).toEqual([...Int32Array.from(expected)]);
      }
    }),
    { numRuns: 300 },
  );
});
