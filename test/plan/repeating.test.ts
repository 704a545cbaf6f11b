import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  categoriesToLookInto,
  isRepeatedElsewhere,
  type RepeatingCategory,
  type RepeatingListing,
  unknownShare,
  walkedEvery,
} from '../../src/crawl/plan/repeating.ts';

const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 8 });
const rank = (place: string) => createHash('md5').update(place).digest('hex');

describe('categories that only repeat others', () => {
  test('a repeating category is read at least every third night', () => {
    fc.assert(
      fc.property(sizes, fc.nat(40_000), (pagesOf, firstNight) => {
        const walkedOn = new Map(pagesOf.map((_, i) => [`c${i}`, firstNight]));
        for (let night = firstNight + 1; night < firstNight + 12; night += 1) {
          const known = pagesOf.map(
            (pages, i): RepeatingCategory => ({
              categoryId: `c${i}`,
              pages,
              nightsAgo: night - walkedOn.get(`c${i}`)!,
            }),
          );
          const notWalked = categoriesToLookInto(known, night, (place) => place).map(({ categoryId }) => categoryId);
          for (const { categoryId } of known) if (!notWalked.includes(categoryId)) walkedOn.set(categoryId, night);
          for (const last of walkedOn.values()) expect(night - last).toBeLessThan(walkedEvery);
        }
      }),
    );
  });

  test('a repeating category is sampled at both ends and between, at a third of its pages at most', () => {
    fc.assert(
      fc.property(sizes, fc.nat(40_000), (pagesOf, night) => {
        const repeating = pagesOf.map((pages, i): RepeatingCategory => ({ categoryId: `c${i}`, pages, nightsAgo: 1 }));
        for (const { categoryId, pages } of categoriesToLookInto(repeating, night, rank)) {
          const whole = pagesOf[Number(categoryId.slice(1))]!;
          expect(pages[0]).toBe(1);
          expect(pages.at(-1)).toBe(whole);
          expect([...new Set(pages)].sort((a, b) => a - b)).toEqual(pages);
          expect(pages.length * 3).toBeLessThanOrEqual(whole);
        }
      }),
    );
  });
});

describe('a category that was not walked', () => {
  const quiet: RepeatingListing = {
    declared: 1_000,
    known: 1_000,
    onlyThere: 0,
    pagesUnread: 0,
    unseen: { gone: 3, toAsk: [], doubtful: 0 },
  };

  test.each<[string, Partial<RepeatingListing>, boolean]>([
    ['declares what is known of it', {}, true],
    ['declares half a percent more', { declared: 1_000 * (1 + unknownShare) }, true],
    ['declares half a percent and one more', { declared: 1_000 * (1 + unknownShare) + 1 }, false],
    ['declares as many fewer', { declared: 1_000 * (1 - unknownShare) - 1 }, false],
    ['is small and declares one more', { declared: 151, known: 150 }, false],
    ['declares nothing, or this and that', { declared: null }, false],
    ['shows what nobody else does', { onlyThere: 1 }, false],
    ['has a page that could not be read', { pagesUnread: 1 }, false],
    ['had a product that nobody shows and that is for sale', { unseen: { ...quiet.unseen, doubtful: 1 } }, false],
  ])('a category that was not read and %s', (_, told, expected) => {
    expect(isRepeatedElsewhere({ ...quiet, ...told })).toBe(expected);
  });
});
