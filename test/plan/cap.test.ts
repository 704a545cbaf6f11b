import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { suspectedCaps } from '../../src/crawl/plan/cap.ts';

describe('a total that looks like a limit of the listing', () => {
  test.each<[string, (number | null)[], number[]]>([
    ['is round', [10_000, 937, 8_729], [10_000]],
    ['is shared by two that are the greatest', [500, 937, 937, 12], [937]],
    ['is not a small one that is shared', [40, 40, 12], []],
    ['is not one that is shared but not the greatest', [500, 500, 937], []],
    ['is not nothing', [0, 0, null], []],
    ['is not there where no totals are', [], []],
  ])('%s', (_, totals, caps) => {
    expect([...suspectedCaps(totals)]).toEqual(caps);
  });

  test('a limit of the listing is found whenever it truncated two categories', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 240, max: 20_000 }),
        fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 20 }),
        (cap, sizes) => {
          const totals = [...sizes, cap + 1, cap + 2].map((size) => Math.min(size, cap));
          expect(suspectedCaps(totals).has(cap)).toBe(true);
        },
      ),
    );
  });
});
