import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { moveFields } from '../../src/endpoints/move-fields.ts';

const move = (body: unknown, from: string, to: string) => moveFields(body, 'e', [{ endpoint: 'e', from, to }]);

describe('a field that moved', () => {
  test.each([
    ['renamed', { a: [{ p: { x: 1 } }] }, 'a[].p.x', 'a[].p.y', { a: [{ p: { y: 1 } }] }],
    ['out of a holder', { a: [{ s: { q: [2] } }] }, 'a[].s.q', 'a[].q', { a: [{ q: [2] }] }],
    ['out of the first of a list', { s: [{ q: 1 }, { q: 2 }] }, 's[].q', 'q', { q: 1 }],
    ['a list out of a wrapper', { r: { items: [1, 2] } }, 'r.items', 'r', { r: [1, 2] }],
    ['into an object', { p: 3 }, 'p', 'p.x', { p: { x: 3 } }],
    ['into a list', { q: 1 }, 'q', 's[].q', { s: [{ q: 1 }] }],
  ])('is read in its old place: %s', (_, body, from, to, moved) => {
    expect(move(body, from, to)).toMatchObject(moved);
  });

  test('gives way to a value that is still in the old place, but not to an empty list', () => {
    expect(move({ old: 1, new: 2 }, 'new', 'old')).toEqual({ old: 1, new: 2 });
    expect(move({ old: [], new: [2] }, 'new', 'old')).toMatchObject({ old: [2] });
  });

  test('of another endpoint stays where it is', () => {
    const body = { new: 2 };
    expect(moveFields(body, 'e', [{ endpoint: 'other', from: 'new', to: 'old' }])).toBe(body);
  });

  test('leaves any other payload as it is, and never the one it was given changed', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 4 }), (body) => {
        const before = structuredClone(body);
        expect(move(body, 'no.such[].field', 'no.such[].other')).toEqual(before);
        move(body, 'a[].b.c', 'a[].d');
        expect(body).toEqual(before);
      }),
    );
  });
});
