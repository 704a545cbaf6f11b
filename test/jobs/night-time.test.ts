import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { regionCodes } from '../../src/base/model/index.ts';
import { datesBetween, nightDue } from '../../src/crawl/run/night-time.ts';

const at = (text: string) => ({ hour: Number(text.slice(0, 2)), minute: Number(text.slice(3)) });

describe('the due night', () => {
  test.each([
    ['2026-03-01T01:59:59Z', null],
    ['2026-03-01T02:00:00Z', '2026-03-01'],
    ['2026-03-28T23:59:00Z', '2026-03-28'],
    // The clock changes from 01:00 to 02:00: the night begins an hour earlier by UTC, and once.
    ['2026-03-29T00:59:59Z', null],
    ['2026-03-29T01:00:00Z', '2026-03-29'],
    ['2026-07-01T00:59:59Z', null],
    ['2026-07-01T01:00:00Z', '2026-07-01'],
    // Clocks go from 02:00 back to 01:00.
    ['2026-10-25T00:59:59Z', null],
    ['2026-10-25T01:30:00Z', null],
    ['2026-10-25T02:00:00Z', '2026-10-25'],
    ['2026-12-31T23:59:59Z', '2026-12-31'],
  ])('with nights at 02:00, the due night at %s is %s', (instant, night) => {
    expect(nightDue('uk', new Date(instant), at('02:00'))).toBe(night);
    expect(nightDue('ie', new Date(instant), at('02:00'))).toBe(night);
  });

  test.each([
    // At 01:00 the clock is set to 02:00, so that there is no 01:30.
    ['2026-03-29T01:29:59Z', null],
    ['2026-03-29T01:30:00Z', '2026-03-29'],
    // At 02:00 it is set back to 01:00, so that there are two.
    ['2026-10-25T00:29:59Z', null],
    ['2026-10-25T00:30:00Z', '2026-10-25'],
    ['2026-10-25T01:10:00Z', '2026-10-25'],
  ])('with nights at 01:30, the due night at %s is %s', (instant, night) => {
    expect(nightDue('uk', new Date(instant), at('01:30'))).toBe(night);
    expect(nightDue('ie', new Date(instant), at('01:30'))).toBe(night);
  });

  test('at any time of day each date is due from one instant on, also when clocks change', () => {
    const minutes = fc.integer({ min: 0, max: 24 * 60 - 1 });
    const days = fc.integer({ min: 0, max: 800 });
    fc.assert(
      fc.property(fc.constantFrom(...regionCodes), days, minutes, (region, day, minute) => {
        const time = { hour: Math.floor(minute / 60), minute: minute % 60 };
        const begin = Date.parse('2025-12-31T12:00:00Z') + day * 86_400_000;
        const seen = Array.from({ length: 24 * 12 }, (_, i) => nightDue(region, new Date(begin + i * 300_000), time));
        const changes = seen.filter((night, i) => night !== null && night !== seen[i - 1]);
        expect(new Set(changes).size).toBe(changes.length);
      }),
      { numRuns: 40 },
    );
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
});
