import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareProfiles, jumpOf } from '../../src/followers/drift/compare.ts';
import type { NightProfile } from '../../src/followers/drift/night-profile.ts';
import { mergeProfiles, presence, profileOf } from '../../src/followers/drift/payload-profile.ts';

const payloads = fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 8 });

function night(bodies: readonly unknown[], read: readonly unknown[] = bodies): NightProfile {
  const counted = { unreadable: 0, rejected: 0, elements: 0, reasons: {} };
  return { payloads: bodies.length, upstream: profileOf(bodies), read: profileOf(read), ...counted };
}

const shelf = (factor: number, more: object = {}) =>
  Array.from({ length: 12 }, (_, i) => ({ price: (1 + i) * factor, unit: i % 2 ? 'kg' : 'each', ...more }));

describe('the profile of payloads', () => {
  test('is the same whether they are counted at once or in parts, in whichever order', () => {
    fc.assert(
      fc.property(payloads, payloads, (one, other) => {
        const whole = plain(profileOf([...one, ...other]));
        expect(plain(mergeProfiles([profileOf(one), profileOf(other)]))).toEqual(whole);
        expect(plain(mergeProfiles([profileOf(other), profileOf(one)]))).toEqual(whole);
      }),
    );
  });

  test('counts every payload once at its top, and can be kept in the database', () => {
    fc.assert(
      fc.property(payloads, (bodies) => {
        const profile = profileOf(bodies);
        expect(profile['$'] ? presence(profile['$']) : 0).toBe(bodies.length);
        expect(JSON.stringify(profile)).not.toMatch(/\\u0000|\\ud[89a-f]/);
      }),
    );
  });
});

describe('the comparison of two profiles', () => {
  test('finds nothing between equal nights', () => {
    fc.assert(
      fc.property(payloads, (bodies) => {
        expect(compareProfiles(night(bodies), night(bodies))).toEqual([]);
      }),
    );
  });

  test.each([
    ['a lost field', shelf(1, { tag: 1 }), shelf(1), 'lost_field', 'warning', 'tag'],
    ['a new field', shelf(1), shelf(1, { tag: 1 }), 'new_field', 'info', 'tag'],
    ['another type', shelf(1, { tag: 1 }), shelf(1, { tag: '1' }), 'type_changed', 'warning', 'tag'],
  ])('finds %s', (_, before, now, kind, severity, path) => {
    expect(compareProfiles(night(before, []), night(now, []))).toContainEqual(
      expect.objectContaining({ kind, severity, path }),
    );
  });

  test('calls prices in pence breaking where they are read as pounds, and any factor below eight no jump', () => {
    const [jump] = compareProfiles(night(shelf(1)), night(shelf(100)));
    expect(jump).toMatchObject({ kind: 'jump', severity: 'breaking', path: 'price' });
    expect(jump!.said).toMatch(/^×100: /);
    fc.assert(
      fc.property(fc.double({ min: 0.13, max: 7.9, noNaN: true }), (factor) => {
        expect(jumpOf(profileOf(shelf(1))['price'], profileOf(shelf(factor))['price'])).toBeNull();
      }),
    );
  });
});

/** Sums of logarithms differ in their last digits by the order in which they are added. */
function plain(profile: ReturnType<typeof profileOf>) {
  return Object.fromEntries(
    Object.entries(profile).map(([path, { numbers, ...rest }]) => [
      path,
      { ...rest, numbers: numbers && { ...numbers, logs: Number(numbers.logs.toFixed(6)) } },
    ]),
  );
}
