import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agreement, sketchSize } from '../../src/publish/quality/evidence/agreement.ts';

const idsFrom = (first: number, count: number) => Array.from({ length: count }, (_, i) => String(first + i));
const rankOf = (id: string) => createHash('md5').update(id).digest('hex');
const sketch = (ids: readonly string[]) =>
  ids
    .map((id) => ({ id, rank: rankOf(id) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, sketchSize)
    .map(({ id }) => id);

describe('the agreement of two sets of products', () => {
  test('is exact where both are small', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 150 }), fc.integer({ min: 0, max: 150 }), (count, moved) => {
        const common = Math.max(0, count - moved);
        expect(agreement(idsFrom(0, count), idsFrom(moved, count))).toBeCloseTo(common / (2 * count - common), 9);
      }),
    );
  });

  test('is estimated where they are large, with a standard error of 3 % at most', () => {
    const rounds = Array.from({ length: 40 }, (_, round) => round);
    const squares = rounds.map((round) => {
      const moved = 50 * round;
      const common = 2_000 - moved;
      const some = sketch(idsFrom(round * 100_000, 2_000));
      const others = sketch(idsFrom(round * 100_000 + moved, 2_000));
      return (agreement(some, others)! - common / (4_000 - common)) ** 2;
    });
    expect(Math.sqrt(squares.reduce((sum, square) => sum + square) / rounds.length)).toBeLessThan(0.03);
  });

  test('is whole for a set and itself, nothing for strangers, and unknown without any', () => {
    expect(agreement(sketch(idsFrom(0, 5_000)), sketch(idsFrom(0, 5_000)))).toBe(1);
    expect(agreement(idsFrom(0, 50), idsFrom(50, 50))).toBe(0);
    expect(agreement([], [])).toBeNull();
  });
});
