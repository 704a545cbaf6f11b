import { describe, expect, it } from 'vitest';
import { readPromotionInstant } from '../../src/source/normalise/promotion-date.ts';

describe('promotion dates', () => {
  it('promotion dates are instants, exactly as given', () => {
    expect(readPromotionInstant('2025-09-21T23:00:00Z')?.toISOString()).toBe('2025-09-21T23:00:00.000Z');
    expect(readPromotionInstant('2025-03-24T00:00:00.000+01:00')?.toISOString()).toBe('2025-03-23T23:00:00.000Z');
  });

  it.each([
    null,
    '',
    '2025-09-21',
    '2025-02-30T00:00:00Z',
    '2025-13-01T00:00:00Z',
    '2025-09-21T23:00:00',
    '21/09/2025',
    5,
    'soon',
  ])('no promotion date is guessed from %j', (value) => {
    expect(readPromotionInstant(value)).toBeNull();
  });
});
