import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { categoriesInTurn, type RotatedCategory } from '../../src/plan/rotation.ts';

const category = (categoryId: string, more: Partial<RotatedCategory> = {}): RotatedCategory => ({
  categoryId,
  requests: 10,
  changesPerDay: 1,
  daysUnread: 1,
  ...more,
});

const someCategories = fc
  .array(fc.record({ requests: fc.integer({ min: 1, max: 40 }), changesPerDay: fc.integer({ min: 1, max: 50 }) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((sizes) => sizes.map((size, i) => category(`c${i}`, size)));

/** Reads what is in turn on each of many nights; returns how often each was read, and the longest it waited. */
function play(categories: readonly RotatedCategory[], requests: number, nights: number) {
  const unread = new Map<string, number | null>(categories.map(({ categoryId }) => [categoryId, null]));
  const reads = new Map(categories.map(({ categoryId }) => [categoryId, 0]));
  const waited = new Map(categories.map(({ categoryId }) => [categoryId, 0]));
  for (let night = 0; night < nights; night++) {
    const waiting = categories.map((each) => ({ ...each, daysUnread: unread.get(each.categoryId)! }));
    const inTurn = categoriesInTurn(waiting, requests, 10);
    for (const { categoryId } of categories) {
      const days = unread.get(categoryId) ?? null;
      waited.set(categoryId, Math.max(waited.get(categoryId)!, days ?? night));
      if (inTurn.has(categoryId)) reads.set(categoryId, reads.get(categoryId)! + 1);
      unread.set(categoryId, inTurn.has(categoryId) ? 1 : days === null ? null : days + 1);
    }
  }
  return { reads, waited };
}

describe('categories take turns', () => {
  it('within the requests there are, but for one that alone takes more', () => {
    fc.assert(
      fc.property(someCategories, fc.nat(120), (categories, requests) => {
        const inTurn = categoriesInTurn(categories, requests, 10);
        const cost = categories
          .filter(({ categoryId }) => inTurn.has(categoryId))
          .reduce((sum, each) => sum + each.requests!, 0);
        expect(inTurn.size).toBeGreaterThan(0);
        if (inTurn.size > 1) expect(cost).toBeLessThanOrEqual(Math.max(requests, 0));
      }),
    );
  });

  it('until all are read, and none is left out for ever', () => {
    fc.assert(
      fc.property(someCategories, fc.integer({ min: 1, max: 60 }), (categories, requests) => {
        const { waited } = play(categories, requests, 150);
        const rates = categories.map(({ changesPerDay, requests: cost }) => changesPerDay / cost!);
        // As often as its share of all that changes, a whole round for each category at worst.
        const most = categories.length * (1 + Math.max(...rates) / Math.min(...rates));
        for (const days of waited.values()) expect(days).toBeLessThanOrEqual(Math.ceil(most));
      }),
      { numRuns: 50 },
    );
  });

  it('by how much changes in them: what changes more is read more often', () => {
    const categories = [
      category('slow', { changesPerDay: 1 }),
      category('quick', { changesPerDay: 5 }),
      category('calm'),
    ];
    const { reads } = play(categories, 10, 70);
    expect(reads.get('quick')!).toBeGreaterThan(2 * reads.get('slow')!);
    expect(reads.get('calm')!).toBeGreaterThan(5);
  });

  it('those never read first, whatever their size, which is assumed until it is known', () => {
    const categories = [
      category('known', { changesPerDay: 100 }),
      category('new', { requests: null, daysUnread: null }),
    ];
    expect([...categoriesInTurn(categories, 25, 25)]).toEqual(['new']);
    expect([...categoriesInTurn(categories, 25, 15)].sort()).toEqual(['known', 'new']);
  });
});
