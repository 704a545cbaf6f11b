import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Listing } from '../../src/simulator/catalogue.ts';
import { type FaultKind, faultKinds } from '../../src/simulator/fault-kinds.ts';
import { distortListing, distortPage, pageOf } from '../../src/simulator/page-faults.ts';

const pageSize = 24;

/** Products 1,000, 1,001, …; like a catalogue it has nothing beyond its end. */
const listingOf = (total: number): Listing => ({
  total,
  slotAt(place) {
    if (place < 0 || place >= total) throw new RangeError(`nothing is listed at ${place}`);
    return 1_000 + place;
  },
});

const kinds = (Object.keys(faultKinds) as FaultKind[]).filter((kind) => ['listing', 'page'].includes(faultKinds[kind]));
const firing = fc
  .record({
    kind: fc.constantFrom(...kinds),
    count: fc.integer({ min: 0, max: 40 }),
    nth: fc.integer({ min: 1, max: 9 }),
    draw: fc.nat(),
  })
  .map(({ kind, count, nth, draw }) => ({ rule: { kind, count }, place: faultKinds[kind], nth, draw }));

test('whatever faults a page has, it shows products of its category and nulls, and repeats none past the end', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 1, max: 6 }),
      fc.array(firing, { maxLength: 5 }),
      (total, pageNo, firings) => {
        const listing = distortListing(listingOf(total), firings);
        const page = distortPage(pageOf(listing, pageNo, pageSize), listing, { pageNo, pageSize }, firings);
        for (const slot of page.slots) expect(slot === -1 || (slot >= 1_000 && slot < 1_000 + total)).toBe(true);
        if ((pageNo - 1) * pageSize >= listing.total) expect(page.slots.every((slot) => slot === -1)).toBe(true);
      },
    ),
    { numRuns: 1_000 },
  );
});
