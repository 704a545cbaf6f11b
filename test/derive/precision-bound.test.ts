import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atMost, precisionBound } from './precision-bound.ts';

const sample = fc
  .integer({ min: 1, max: 3_000 })
  .chain((judged) => fc.record({ judged: fc.constant(judged), right: fc.integer({ min: 0, max: judged }) }));

describe('precisionBound', () => {
  it('gives the published values', () => {
    // Without a wrong pair 0.05^(1/n); 19 of 20 and 8 of 10: tables of one-sided Clopper-Pearson limits.
    expect(precisionBound(400, 400)).toBeCloseTo(0.992539, 6);
    expect(precisionBound(59, 59)).toBeCloseTo(0.05 ** (1 / 59), 12);
    expect(precisionBound(19, 20)).toBeCloseTo(0.783894, 5);
    expect(precisionBound(8, 10)).toBeCloseTo(0.493099, 5);
    expect(precisionBound(0, 10)).toBe(0);
  });

  it('is the share at which as many right ones would come about in 5 of 100 samples', () => {
    fc.assert(
      fc.property(
        sample.filter(({ right }) => right > 0),
        ({ right, judged }) => {
          const bound = precisionBound(right, judged);
          expect(bound).toBeLessThan(right / judged);
          expect(atMost(judged - right, judged, 1 - bound)).toBeCloseTo(0.05, 6);
        },
      ),
    );
  });

  it('rises with every right pair, and comes close to the rule of three', () => {
    fc.assert(
      fc.property(sample, ({ right, judged }) => {
        if (right < judged) expect(precisionBound(right + 1, judged)).toBeGreaterThan(precisionBound(right, judged));
        if (judged > 50)
          expect(Math.abs(precisionBound(judged, judged) - (1 - 3 / judged))).toBeLessThan(
            0.005 / judged + 5 / judged ** 2,
          );
      }),
    );
  });
});
