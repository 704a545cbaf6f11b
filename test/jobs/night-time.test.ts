import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { regionCodes } from '../../src/base/model/index.ts';
import { datesBetween, nightDue } from '../../src/crawl/run/night-time.ts';
import cases from './night-time.json' with { type: 'json' };

// A row of night-time.json: the time of day at which nights are due, an instant, and the night due then; or two dates
// and those between them. On 29 March clocks change from 01:00 to 02:00, so that there is no 01:30; on 25 October they
// change from 02:00 to 01:00, so that there are two.
const at = (text: string) => ({ hour: Number(text.slice(0, 2)), minute: Number(text.slice(3)) });

describe('the due night', () => {
  test.each(cases.due)('with nights at %s, the due night at %s is %s', (time, instant, night) => {
    for (const region of regionCodes) expect(nightDue(region, new Date(instant!), at(time!))).toBe(night);
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
  test.each(cases.between as [string, string, string[]][])(
    'the dates between %s and %s are listed',
    (from, to, dates) => {
      expect(datesBetween(from, to)).toEqual(dates);
    },
  );
});
