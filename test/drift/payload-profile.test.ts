import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareProfiles } from '../../src/followers/drift/compare.ts';
import { type AnyEndpoint, type Profile, profileOf } from '../../src/followers/drift/profile.ts';

const payloads = fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 8 });

/** Profile of payloads whose reading is given beside them. */
function night(bodies: readonly unknown[], read: readonly unknown[] = bodies): Profile {
  const sample = bodies.map((body, n) => ({ question: { n: String(n) }, body }));
  const endpoint = { read: (_: unknown, { n }: { n: string }) => ({ records: read[Number(n)], rejected: [] }) };
  return profileOf(endpoint as unknown as AnyEndpoint, sample);
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
});
