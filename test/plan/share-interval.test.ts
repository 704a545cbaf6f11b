import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { missedShare, wilsonInterval } from '../../src/plan/share-interval.ts';
import { drawing } from './refresh-policy.ts';

describe('the interval of a share', () => {
  it('is Wilson’s', () => {
    // Brown, Cai and DasGupta give 0.0556 to 0.2872 or thereabouts for 3 of 21.
    const { share, low, high } = wilsonInterval(3, 21)!;
    expect([share, low, high].map((each) => each.toFixed(3))).toEqual(['0.143', '0.050', '0.346']);
    expect(wilsonInterval(0, 0)).toBeNull();
    expect(wilsonInterval(0, 100)).toMatchObject({ share: 0, low: 0 });
    expect(wilsonInterval(0, 100)!.high).toBeCloseTo(0.037, 3);
  });

  it('holds the share that was seen, within 0 and 1, and narrows with more of the same', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.integer({ min: 1, max: 200 }), (some, asked) => {
        const hits = Math.min(some, asked);
        const { share, low, high } = wilsonInterval(hits, asked)!;
        expect(low >= 0 && low <= share && share <= high && high <= 1).toBe(true);
        const more = wilsonInterval(hits * 4, asked * 4)!;
        expect(more.high - more.low).toBeLessThan(high - low);
      }),
    );
  });

  it('covers the truth in about 95 of 100 samples', () => {
    const truth = 0.04;
    let covered = 0;
    const random = drawing(5);
    for (let i = 0; i < 2_000; i += 1) {
      let hits = 0;
      for (let k = 0; k < 150; k += 1) if (random() < truth) hits += 1;
      const { low, high } = wilsonInterval(hits, 150)!;
      if (low <= truth && truth <= high) covered += 1;
    }
    expect(covered / 2_000).toBeGreaterThan(0.92);
  });
});

describe('the share of changes missed', () => {
  it('is what the sample finds among those left out, of that and of what the plan found', () => {
    expect(missedShare({ asked: 100, changed: 5, leftOut: 2_000, found: 300 })!.share).toBeCloseTo(100 / 400, 9);
    expect(missedShare({ asked: 0, changed: 0, leftOut: 2_000, found: 300 })).toBeNull();
    expect(missedShare({ asked: 50, changed: 0, leftOut: 2_000, found: 0 })).toMatchObject({
      share: 0,
      low: 0,
      high: 1,
    });
  });
});
