import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { comparePlans } from '../../src/moving/compare-plans.ts';

const told = { quota: null, toldBefore: null, bonusRequests: 0 };

describe('section 9, step 4a: the new listing is subscribed with the same plan', () => {
  test('which no answer names, so that the limits of both hosts are held against each other in both directions', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }), (old, fresh) => {
        const { outcome } = comparePlans({ old, new: fresh }, told);
        expect(outcome).toBe(fresh === old ? 'same' : fresh < old ? 'lower' : 'higher');
      }),
    );
  });

  test('a larger limit is the bonus where it is larger by just that', () => {
    const promised = { ...told, bonusRequests: 200 };
    expect(comparePlans({ old: 500, new: 700 }, promised).outcome).toBe('bonus');
    expect(comparePlans({ old: 500, new: 701 }, promised).outcome).toBe('higher');
    expect(comparePlans({ old: 500, new: 700 }, told).outcome).toBe('higher');
  });

  test('the quota that the variables tell stands for an old host that is gone, then what it told last; without any nothing is known', () => {
    expect(comparePlans({ old: null, new: 500 }, { ...told, quota: 500 })).toEqual({
      outcome: 'same',
      old: 500,
      new: 500,
    });
    expect(comparePlans({ old: null, new: 400 }, { ...told, quota: 500 }).outcome).toBe('lower');
    for (const observed of [
      { old: null, new: 500 },
      { old: 500, new: null },
    ])
      expect(comparePlans(observed, told).outcome).toBe('unknown');
    expect(comparePlans({ old: null, new: 500 }, { ...told, quota: 0 }).outcome).toBe('unknown');
    const remembered = { ...told, toldBefore: 500 };
    expect(comparePlans({ old: null, new: 400 }, remembered)).toEqual({ outcome: 'lower', old: 500, new: 400 });
    expect(comparePlans({ old: null, new: 400 }, { ...remembered, quota: 400 }).outcome).toBe('same');
    expect(comparePlans({ old: 400, new: 400 }, remembered).outcome).toBe('same');
  });
});
