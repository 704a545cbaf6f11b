import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeCensuses, presence, takeCensus } from '../../src/followers/drift/census.ts';
import { compareCensuses, jumpOf } from '../../src/followers/drift/compare.ts';
import type { NightCensus } from '../../src/followers/drift/night-census.ts';

const payloads = fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 8 });

function night(bodies: readonly unknown[], read: readonly unknown[] = bodies): NightCensus {
  const counted = { unreadable: 0, rejected: 0, elements: 0, reasons: {} };
  return { payloads: bodies.length, upstream: takeCensus(bodies), read: takeCensus(read), ...counted };
}

const shelf = (factor: number, more: object = {}) =>
  Array.from({ length: 12 }, (_, i) => ({ price: (1 + i) * factor, unit: i % 2 ? 'kg' : 'each', ...more }));

describe('the census of payloads', () => {
  test('is the same whether they are counted at once or in parts, in whichever order', () => {
    fc.assert(
      fc.property(payloads, payloads, (one, other) => {
        const whole = plain(takeCensus([...one, ...other]));
        expect(plain(mergeCensuses([takeCensus(one), takeCensus(other)]))).toEqual(whole);
        expect(plain(mergeCensuses([takeCensus(other), takeCensus(one)]))).toEqual(whole);
      }),
    );
  });

  test('counts every payload once at its top, and can be kept in the database', () => {
    fc.assert(
      fc.property(payloads, (bodies) => {
        const census = takeCensus(bodies);
        expect(census['$'] ? presence(census['$']) : 0).toBe(bodies.length);
        expect(JSON.stringify(census)).not.toMatch(/\\u0000|\\ud[89a-f]/);
      }),
    );
  });
});

describe('the comparison of two censuses', () => {
  test('finds nothing between equal nights', () => {
    fc.assert(
      fc.property(payloads, (bodies) => {
        expect(compareCensuses(night(bodies), night(bodies))).toEqual([]);
      }),
    );
  });

  test.each([
    ['a lost field', shelf(1, { tag: 1 }), shelf(1), 'lost_field', 'warning', 'tag'],
    ['a new field', shelf(1), shelf(1, { tag: 1 }), 'new_field', 'info', 'tag'],
    ['another type', shelf(1, { tag: 1 }), shelf(1, { tag: '1' }), 'type_changed', 'warning', 'tag'],
    ['nothing but null', shelf(1, { tag: 1 }), shelf(1, { tag: null }), 'emptier', 'warning', 'tag'],
    ['a negative number', shelf(1), shelf(-1), 'range', 'warning', 'price'],
  ])('finds %s', (_, before, now, kind, severity, path) => {
    expect(compareCensuses(night(before, []), night(now, []))).toContainEqual(
      expect.objectContaining({ kind, severity, path }),
    );
  });

  test('finds a value that an enumeration did not have', () => {
    const many = (...units: string[]) => Array.from({ length: 40 }, (_, i) => ({ unit: units[i % units.length] }));
    expect(compareCensuses(night(many('kg', 'each'), []), night(many('kg', 'each', 'litre'), []))).toEqual([
      { kind: 'new_text', severity: 'info', path: 'unit', said: 'a value not seen before: "litre"' },
    ]);
  });

  test('calls prices in pence breaking where they are read as pounds, and any factor below eight no jump', () => {
    const [jump] = compareCensuses(night(shelf(1)), night(shelf(100)));
    expect(jump).toMatchObject({ kind: 'jump', severity: 'breaking', path: 'price' });
    expect(jump!.said).toMatch(/^×100: /);
    fc.assert(
      fc.property(fc.double({ min: 0.13, max: 7.9, noNaN: true }), (factor) => {
        expect(jumpOf(takeCensus(shelf(1))['price'], takeCensus(shelf(factor))['price'])).toBeNull();
      }),
    );
  });
});

/** Sums of logarithms differ in their last digits by the order in which they are added. */
function plain(census: ReturnType<typeof takeCensus>) {
  return Object.fromEntries(
    Object.entries(census).map(([path, { numbers, ...rest }]) => [
      path,
      { ...rest, numbers: numbers && { ...numbers, logs: Number(numbers.logs.toFixed(6)) } },
    ]),
  );
}
