import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { confidence, overlookedShare, sampleSize } from '../../src/crawl/plan/sample-size.ts';

/** Of a population in which `there` are still there: the chance that a sample meets none of them. */
function chanceOfNone(population: number, there: number, asked: number): number {
  return Number((choose(population - there, asked) * 10n ** 12n) / choose(population, asked)) / 1e12;
}

function choose(n: number, k: number): bigint {
  if (k > n) return 0n;
  let ways = 1n;
  for (let i = 1; i <= k; i += 1) ways = (ways * BigInt(n - k + i)) / BigInt(i);
  return ways;
}

describe('the sample of unseen products', () => {
  const populations = fc.integer({ min: 1, max: 400_000 });

  test('the sample is as large as it must be to meet a remaining product, and no larger', () => {
    fc.assert(
      fc.property(populations, (population) => {
        const asked = sampleSize(population);
        const there = Math.ceil(population * overlookedShare);
        expect(chanceOfNone(population, there, asked)).toBeLessThanOrEqual(1 - confidence + 1e-9);
        expect(chanceOfNone(population, there, asked - 1)).toBeGreaterThan(1 - confidence - 1e-9);
      }),
    );
  });

  test.each([
    [1, 1],
    [20, 19],
    [108, 42],
    [1_080, 57],
    [81_000, 59],
  ])('the sample of %d products is %d', (population, asked) => {
    expect(sampleSize(population)).toBe(asked);
  });
});
