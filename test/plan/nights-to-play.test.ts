import fc from 'fast-check';
import { expect, test } from 'vitest';
import { datesBetween } from '../../src/crawl/plan/local-time.ts';
import { nightsToPlay } from '../../src/crawl/plan/nights-to-play.ts';

const tonight = '2026-03-10';

test('a new database plays the last nights before tonight', () => {
  const { played, missed } = nightsToPlay({ tonight, last: null, most: 3 });
  expect(played).toEqual(['2026-03-07', '2026-03-08', '2026-03-09']);
  expect(missed).toEqual([]);
});

test('the simulator plays the nights since the last one, each once', () => {
  expect(nightsToPlay({ tonight, last: '2026-03-07', most: 14 }).played).toEqual(['2026-03-08', '2026-03-09']);
  expect(nightsToPlay({ tonight, last: '2026-03-09', most: 14 }).played).toEqual([]);
  expect(nightsToPlay({ tonight, last: tonight, most: 14 }).played).toEqual([]);
});

test('the first nights of a longer gap stay missed', () => {
  expect(nightsToPlay({ tonight, last: '2026-03-05', most: 2 })).toEqual({
    played: ['2026-03-08', '2026-03-09'],
    missed: ['2026-03-06', '2026-03-07'],
  });
});

test('without requested nights nothing is played and none is missed', () => {
  expect(nightsToPlay({ tonight, last: '2026-03-05', most: 0 })).toEqual({ played: [], missed: [] });
});

test('missed and played nights together are those between the last one and tonight, in order', () => {
  const dayMs = 86_400_000;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 60 }), (gap, most) => {
      const last = new Date(Date.parse(`${tonight}T00:00:00Z`) - gap * dayMs).toISOString().slice(0, 10);
      const { played, missed } = nightsToPlay({ tonight, last, most });
      expect([...missed, ...played]).toEqual(datesBetween(last, tonight));
      expect(played.length).toBe(Math.min(most, Math.max(0, gap - 1)));
    }),
  );
});
