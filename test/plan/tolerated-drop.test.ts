import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toleratedDrop } from '../../src/crawl/plan/tolerated-drop.ts';

describe('the share of products that may disappear', () => {
  const shares = fc.double({ min: 0, max: 1, noNaN: true });
  const nights = fc.integer({ min: 0, max: 10_000 });

  test('the tolerance is that of one night after one night, or after another run of the same night', () => {
    fc.assert(
      fc.property(shares, (perNight) => {
        expect(toleratedDrop(perNight, 1)).toBe(perNight);
        expect(toleratedDrop(perNight, 0)).toBe(perNight);
      }),
    );
  });

  test('the tolerance never decreases as nights pass', () => {
    fc.assert(
      fc.property(shares, nights, nights, (perNight, some, more) => {
        expect(toleratedDrop(perNight, some + more)).toBeGreaterThanOrEqual(toleratedDrop(perNight, some));
      }),
    );
  });

  test('the tolerance never exceeds 30 %, unless one night may lose more', () => {
    fc.assert(
      fc.property(shares, nights, (perNight, passed) => {
        expect(toleratedDrop(perNight, passed)).toBeLessThanOrEqual(Math.max(perNight, 0.3));
      }),
    );
  });

  test.each([
    [1, 0.05],
    [4, 0.1],
    [7, 0.132],
    [35, 0.296],
    [100, 0.3],
  ])('a tolerance of 5 %% a night is, after %d nights, %d', (passed, share) => {
    expect(toleratedDrop(0.05, passed)).toBeCloseTo(share, 3);
  });
});
