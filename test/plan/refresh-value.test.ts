import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hintChance } from '../../src/plan/refresh-value.ts';
import { chanceOfChange, changeRate, pooledRate, refreshValue, urgentCount } from './refresh-formulas.ts';
import { byValue, catalogue, drawing, optimum, replay, uniform } from './refresh-policy.ts';

const rates = fc.double({ min: 1e-4, max: 2, noNaN: true });
const days = fc.integer({ min: 0, max: 5_000 });

describe('the rate of change', () => {
  it('is the category’s before the first visits, and nears the product’s own with them', () => {
    expect(changeRate({ changes: 0, quietDays: 0, changedDays: 0 }, 1 / 50)).toBeCloseTo(1 / 50, 12);
    expect(changeRate({ changes: 0, quietDays: 5_000, changedDays: 0 }, 1 / 50)).toBeLessThan(1 / 5_000);
    // 100 nightly visits of which 20 found a change.
    expect(changeRate({ changes: 20, quietDays: 80, changedDays: 20 }, 1 / 300)).toBeGreaterThan(0.05);
  });

  it('sees that an interval of many days hides changes: dividing by all days would make the fast ones slow', () => {
    // Every monthly visit found a change: many more than one a month is likely.
    const monthly = changeRate({ changes: 12, quietDays: 0, changedDays: 360 }, 1 / 30);
    expect(monthly).toBeGreaterThan(12 / 360);
  });

  it('rises with every change found and falls with every quiet day', () => {
    fc.assert(
      fc.property(fc.nat(500), days, days, rates, (changes, quietDays, changedDays, category) => {
        const rate = changeRate({ changes, quietDays, changedDays }, category);
        expect(rate).toBeGreaterThan(0);
        expect(changeRate({ changes, quietDays: quietDays + 10, changedDays }, category)).toBeLessThan(rate);
        expect(pooledRate({ changes: changes + 1, quietDays, changedDays }, category)).toBeGreaterThan(
          pooledRate({ changes, quietDays, changedDays }, category),
        );
      }),
    );
  });
});

describe('the value of a refresh', () => {
  it('grows with age and weight, from nothing', () => {
    fc.assert(
      fc.property(rates, days, fc.double({ min: 0.01, max: 100, noNaN: true }), (rate, age, weight) => {
        const value = (each: number) => refreshValue(weight, rate, chanceOfChange(rate, each, 0));
        expect(value(0)).toBe(0);
        expect(value(age + 1)).toBeGreaterThanOrEqual(value(age));
        expect(value(age)).toBeLessThanOrEqual(weight / rate);
        expect(refreshValue(weight * 2, rate, 0.5)).toBeCloseTo(2 * refreshValue(weight, rate, 0.5), 6);
      }),
    );
  });

  it('is the score of the optimum: (w / D) (1 - (1 + x) e^-x)', () => {
    const [rate, age, weight] = [0.03, 40, 2];
    const x = rate * age;
    expect(refreshValue(weight, rate, chanceOfChange(rate, age, 0))).toBeCloseTo(
      (weight / rate) * (1 - (1 + x) * Math.exp(-x)),
      9,
    );
  });

  it('of what is stale again tomorrow is little: fast changers give way', () => {
    const monthOld = (rate: number) => refreshValue(1, rate, chanceOfChange(rate, 30, 0));
    expect(monthOld(3)).toBeLessThan(monthOld(0.05));
  });

  it('rises with a hint, and what hints are worth is learned', () => {
    expect(chanceOfChange(0.01, 1, 0.5)).toBeGreaterThan(0.5);
    expect(hintChance({ visits: 0, changes: 0 }, 0.05)).toBeCloseTo(0.05, 9);
    expect(hintChance({ visits: 2_000, changes: 1_000 }, 0.05)).toBeCloseTo(0.5, 1);
    expect(hintChance({ visits: 5_000, changes: 0 }, 0.05)).toBe(0.01);
  });
});

describe('what is urgent', () => {
  it('is refreshed in time: at that many a night nothing becomes older than allowed, whatever the ages are at first', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(29), { minLength: 1, maxLength: 60 }), (ages) => {
        const maxAge = 30;
        // As many a night as keep up in the long run, and a night's worth for each start that leaves no choice.
        const perNight = Math.max(
          Math.ceil(ages.length / maxAge),
          ...ages.map((age, _, all) =>
            Math.ceil(all.filter((each) => each >= age).length / Math.max(1, maxAge - age + 1)),
          ),
        );
        let left = [...ages].sort((a, b) => b - a);
        for (let night = 0; night < 100; night += 1) {
          const due = urgentCount(left, perNight, maxAge);
          expect(due).toBeLessThanOrEqual(perNight);
          left = [...left.slice(due).map((age) => age + 1), ...Array.from({ length: due }, () => 1)].sort(
            (a, b) => b - a,
          );
          expect(left[0]).toBeLessThanOrEqual(maxAge);
        }
      }),
    );
  });

  it('is nothing while there is time', () => {
    expect(urgentCount([10, 9, 8], 1, 30)).toBe(0);
    expect(urgentCount([30, 9, 8], 1, 30)).toBe(1);
    expect(urgentCount([29, 29, 29, 29], 2, 30)).toBe(2);
  });
});

describe('replayed histories of changes', () => {
  const nights = 300;
  const from = 150;
  const played = (perNight: number, hints: boolean) => {
    const made = () => catalogue(1_000, drawing(7));
    const run = (policy: Parameters<typeof replay>[2]) =>
      replay(made(), { nights, from, perNight, hints, random: drawing(11) }, policy);
    return {
      uniform: run(uniform()).freshness,
      planned: run(byValue(90, drawing(13))),
      optimum: optimum(made(), perNight),
    };
  };

  it.each([
    ['a month', 33],
    ['twelve days', 83],
  ])(
    'with each product refreshed once in %s: 7 points above everything in turn, within 3 percent of the optimum by the clock, none older than 90 days',
    (_, perNight) => {
      const { uniform: inTurn, planned, optimum: best } = played(perNight, true);
      expect({ gain: planned.freshness - inTurn, ofBest: planned.freshness / best }).toEqual({
        gain: expect.toSatisfy((gain: number) => gain >= 0.07),
        ofBest: expect.toSatisfy((share: number) => share >= 0.97),
      });
      expect(planned.oldest).toBeLessThanOrEqual(90);
    },
  );

  it('without any hint from the listing the rates alone are worth most of it', () => {
    const { uniform: inTurn, planned, optimum: best } = played(33, false);
    expect({ inTurn, planned: planned.freshness, best }).toEqual({
      inTurn: expect.any(Number),
      planned: expect.toSatisfy((share: number) => share >= inTurn + 0.04 && share >= best * 0.93),
      best: expect.any(Number),
    });
  });
});
