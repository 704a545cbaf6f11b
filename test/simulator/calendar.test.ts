import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateOf, dayOf, localDayAt, midnightOf } from '../../src/simulator/calendar.ts';

const anyDay = fc.integer({ min: dayOf('2015-01-01'), max: dayOf('2040-12-31') });
const zones = ['Europe/London', 'Europe/Dublin'];

describe('calendar', () => {
  it('the calendar counts days in both directions', () => {
    fc.assert(fc.property(anyDay, (day) => dayOf(dateOf(day)) === day));
  });

  it('the calendar refuses invalid dates', () => {
    for (const text of ['2026-02-30', '2026-2-3', 'today', '', '2026-13-01'])
      expect(() => dayOf(text)).toThrow(RangeError);
  });

  it('the calendar knows the local date of any instant as the time zone database does', () => {
    const formats = zones.map((timeZone) => new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }));
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: 86_399 }), (day, second) => {
        const instant = new Date(day * 86_400_000 + second * 1000);
        for (const format of formats) expect(dateOf(localDayAt(instant))).toBe(format.format(instant));
      }),
      { numRuns: 500 },
    );
  });

  it('the calendar prints local midnights in UTC, the evening before in summer', () => {
    expect(midnightOf(dayOf('2025-03-24'))).toBe('2025-03-24T00:00:00Z');
    expect(midnightOf(dayOf('2025-09-22'))).toBe('2025-09-21T23:00:00Z');
    // Both change-over days begin before the clocks change.
    expect(midnightOf(dayOf('2026-03-29'))).toBe('2026-03-29T00:00:00Z');
    expect(midnightOf(dayOf('2026-10-25'))).toBe('2026-10-24T23:00:00Z');
  });

  it('the calendar prints midnights that are midnights in both zones', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const instant = new Date(midnightOf(day));
        for (const timeZone of zones) {
          const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
          expect(local.format(instant)).toBe(`${dateOf(day)} 00:00:00`);
        }
      }),
    );
  });
});
