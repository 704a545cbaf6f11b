import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCategoryGroups } from '../../src/derive/category-groups.ts';
import { emptySums, type Panel, panelOf, pricesAt } from '../../src/derive/panel.ts';
import { changedPlaces, compare } from '../../src/derive/relatives.ts';

const products = 12;
/** Two departments; the shelves 3 and 4 are in the first of them. */
const ancestors = new Map([
  [1, [1]],
  [2, [2]],
  [3, [1, 3]],
  [4, [1, 4]],
]);

/** What a product cost; null: it was not there. */
const offer = fc.option(
  fc.record({
    // Free and a thousandfold dearer among them, and a mean of several nights.
    price: fc.oneof(fc.nat(200), fc.constantFrom(0, 70_000, 1 / 3, 199.5)),
    saving: fc.nat(30),
    shelves: fc.subarray([2, 3, 4], { minLength: 1 }),
  }),
);

describe('two periods compared', () => {
  it('say the same, to the last bit, when brought forward by what changed as when compared anew', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(offer, { minLength: products, maxLength: products }), { minLength: 2 }),
        (nights) => {
          const groups = createCategoryGroups(ancestors);
          const [first, ...later] = nights.map((night, n): Panel => {
            const sums = emptySums(`2026-01-${n + 1}`, products);
            for (const [i, one] of night.entries()) {
              if (!one) continue;
              sums.nights[i] = 1;
              sums.sum.shelf[i] = one.price;
              sums.sum.member[i] = Math.max(0, one.price - one.saving);
              sums.group[i] = groups.ofDirect(one.shelves);
            }
            return panelOf(sums, groups);
          });
          let latest = later[0]!;
          const comparing = compare(first!, latest, groups);
          for (const panel of later.slice(1)) {
            const changed = changedPlaces(latest, panel);
            comparing.moveTo(pricesAt(latest, changed), pricesAt(panel, changed), pricesAt(first!, changed));
            latest = panel;
            expect(comparing.comparison()).toStrictEqual(compare(first!, panel, groups).comparison());
          }
        },
      ),
    );
  });
});
