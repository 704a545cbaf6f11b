import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localDate } from '../../src/base/local-date.ts';

describe('local dates', () => {
  it('an instant falls on the local day: midnight in summer and in winter', () => {
    for (const timeZone of ['Europe/London', 'Europe/Dublin']) {
      expect(localDate(new Date('2025-09-21T23:00:00Z'), timeZone)).toBe('2025-09-22');
      expect(localDate(new Date('2025-03-24T00:00:00Z'), timeZone)).toBe('2025-03-24');
      expect(localDate(new Date('2025-03-30T00:59:59Z'), timeZone)).toBe('2025-03-30');
      expect(localDate(new Date('2025-10-26T23:59:59Z'), timeZone)).toBe('2025-10-26');
      expect(localDate(new Date('2025-12-31T23:30:00Z'), timeZone)).toBe('2025-12-31');
    }
  });

  it('local dates never go back in time', () => {
    const instant = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(instant, fc.integer({ min: 0, max: 90_000_000 }), (start, laterMs) => {
        const end = new Date(start.getTime() + laterMs);
        expect(localDate(start, 'Europe/London') <= localDate(end, 'Europe/London')).toBe(true);
      }),
    );
  });
});
