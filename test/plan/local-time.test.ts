import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { regions } from '../../src/base/model/index.ts';
import { datesBetween, localTime } from '../../src/crawl/plan/local-time.ts';

describe('local time', () => {
  test.each([
    ['2026-03-29T00:59:59Z', 0, 59],
    ['2026-03-29T01:00:00Z', 2, 0],
    ['2026-10-25T00:59:59Z', 1, 59],
    ['2026-10-25T01:00:00Z', 1, 0],
    ['2026-12-31T23:59:00Z', 23, 59],
    ['2026-07-01T23:30:00Z', 0, 30],
  ])('the local time of %s is %i:%i in London and Dublin', (instant, hour, minute) => {
    for (const { timeZone } of Object.values(regions)) {
      expect(localTime(new Date(instant), timeZone)).toEqual({ hour, minute });
    }
  });
});

describe('the dates between two others', () => {
  test.each([
    ['2026-03-01', '2026-03-01', []],
    ['2026-03-01', '2026-03-02', []],
    ['2026-02-27', '2026-03-02', ['2026-02-28', '2026-03-01']],
    ['2024-02-28', '2024-03-01', ['2024-02-29']],
    ['2026-03-05', '2026-03-01', []],
  ])('the dates between %s and %s are listed', (from, to, dates) => {
    expect(datesBetween(from, to)).toEqual(dates);
  });

  test('there are as many dates as nights between them, clock changes or not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 1, max: 500 }), (day, count) => {
        const dateOf = (at: number) => new Date(at * 86_400_000).toISOString().slice(0, 10);
        const dates = datesBetween(dateOf(day), dateOf(day + count));
        expect(dates).toEqual(Array.from({ length: count - 1 }, (_, index) => dateOf(day + 1 + index)));
      }),
    );
  });
});
