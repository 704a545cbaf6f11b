import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareProfiles, jumpOf } from '../../src/followers/drift/compare.ts';
import type { NightProfile } from '../../src/followers/drift/night-profile.ts';
import { profileOf } from '../../src/followers/drift/payload-profile.ts';

const payloads = fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 8 });

function night(bodies: readonly unknown[], read: readonly unknown[] = bodies): NightProfile {
  const counted = { unreadable: 0, rejected: 0, elements: 0, reasons: {} };
  return { payloads: bodies.length, upstream: profileOf(bodies), read: profileOf(read), ...counted };
}

const shelf = (factor: number, more: object = {}) =>
  Array.from({ length: 12 }, (_, i) => ({ price: (1 + i) * factor, unit: i % 2 ? 'kg' : 'each', ...more }));

describe('the comparison of two profiles', () => {
  test('equal nights have no differences', () => {
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
  ])('the comparison finds %s', (_, before, now, kind, severity, path) => {
    expect(compareProfiles(night(before, []), night(now, []))).toContainEqual(
      expect.objectContaining({ kind, severity, path }),
    );
  });

  test('prices in pence that are read as pounds are breaking, and a factor below eight is not reported', () => {
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
