import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { categoriesInTurn, type RotatedCategory, type TurnRequests } from '../../src/crawl/plan/rotation.ts';

const category = (categoryId: string, more: Partial<RotatedCategory> = {}): RotatedCategory => ({
  categoryId,
  requests: 10,
  daysUnread: 1,
  ...more,
});

const requests = (perNight: number, more: Partial<TurnRequests> = {}): TurnRequests => ({
  left: perNight,
  perNight,
  most: Number.POSITIVE_INFINITY,
  assumed: 10,
  hasBegun: false,
  ...more,
});

const someCategories = fc
  .array(fc.record({ requests: fc.integer({ min: 1, max: 40 }) }), { minLength: 1, maxLength: 12 })
  .map((sizes) => sizes.map((size, i) => category(`c${i}`, size)));

/** Reads the chosen categories on many nights; returns the longest wait of each. */
function play(categories: readonly RotatedCategory[], perNight: number, nights: number) {
  const unread = new Map<string, number | null>(categories.map(({ categoryId }) => [categoryId, null]));
  const waited = new Map(categories.map(({ categoryId }) => [categoryId, 0]));
  for (let night = 0; night < nights; night++) {
    const waiting = categories.map((each) => ({ ...each, daysUnread: unread.get(each.categoryId)! }));
    const { walk: inTurn } = categoriesInTurn(waiting, requests(perNight));
    for (const { categoryId } of categories) {
      const days = unread.get(categoryId) ?? null;
      waited.set(categoryId, Math.max(waited.get(categoryId)!, days ?? night));
      unread.set(categoryId, inTurn.has(categoryId) ? 1 : days === null ? null : days + 1);
    }
  }
  return waited;
}

describe('categories take turns', () => {
  it('categories share the available requests, except one that is larger than a night', () => {
    fc.assert(
      fc.property(someCategories, fc.nat(120), fc.nat(120), (categories, perNight, beyond) => {
        const { walk } = categoriesInTurn(categories, requests(perNight, { most: perNight + beyond }));
        const cost = categories
          .filter(({ categoryId }) => walk.has(categoryId))
          .reduce((sum, each) => sum + each.requests!, 0);
        expect(cost).toBeLessThanOrEqual(perNight + beyond);
        if (walk.size > 1) expect(cost).toBeLessThanOrEqual(perNight);
        if (categories.some((each) => each.requests! <= perNight)) expect(walk.size).toBeGreaterThan(0);
      }),
    );
  });

  it('categories take turns until all are read, and none is left out forever', () => {
    fc.assert(
      fc.property(someCategories, fc.integer({ min: 1, max: 60 }), (categories, perNight) => {
        const waited = play(categories, perNight, 150);
        for (const days of waited.values()) expect(days).toBeLessThanOrEqual(categories.length);
      }),
      { numRuns: 50 },
    );
  });

  it('categories of unknown size come first by their first pages, with a quarter of what is left', () => {
    const unknown = Array.from({ length: 20 }, (_, i) => category(`u${i}`, { requests: null, daysUnread: null }));
    const { walk, look } = categoriesInTurn([...unknown, category('known')], requests(40));
    expect(look.size).toBe(10);
    expect(walk.size).toBe(0);
    expect(categoriesInTurn(unknown, requests(3)).look.size).toBe(1);
    expect(categoriesInTurn(unknown, requests(0)).look.size).toBe(0);
  });

  it('a category whose first page stated no size gets an assumed size, and is not sampled again', () => {
    const silent = category('silent', { requests: null, daysUnread: null, isLookedAt: true });
    expect(categoriesInTurn([silent], requests(12))).toEqual({ walk: new Set(['silent']), look: new Set() });
    expect(categoriesInTurn([silent], requests(8, { perNight: 12 })).walk.size).toBe(0);
  });
});
