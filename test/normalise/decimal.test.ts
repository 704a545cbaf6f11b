import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalDecimal,
  decimalFromNumber,
  scaledToWhole,
  timesDecimal,
} from '../../src/source/normalise/decimal.ts';

const digits = fc.bigInt({ min: 0n, max: 10n ** 12n });
const decimal = fc.tuple(digits, fc.integer({ min: 0, max: 6 })).map(([whole, scale]) => {
  const text = whole.toString().padStart(scale + 1, '0');
  return canonicalDecimal(`${text.slice(0, text.length - scale)}.${text.slice(text.length - scale)}`) ?? '';
});

describe('exact decimals', () => {
  it('every decimal has one form', () => {
    expect(['007.20', '7.2', '7.200', '.5', '5.', '0', '000', '10'].map(canonicalDecimal)).toEqual([
      '7.2',
      '7.2',
      '7.2',
      '0.5',
      '5',
      '0',
      '0',
      '10',
    ]);
    expect(['', '.', '-1', '1e5', '1,2', ' 1', '1'.repeat(16)].map(canonicalDecimal)).toEqual(Array(7).fill(null));
  });

  it('a decimal from a number has no noise of float arithmetic', () => {
    expect([7.199999999999999, 0.1 + 0.2, 5, 5.56, 1e21, 1e-7, 1.5e-7].map(decimalFromNumber)).toEqual([
      '7.2',
      '0.3',
      '5',
      '5.56',
      null,
      '0.0000001',
      '0.00000015',
    ]);
    expect([-1, Number.NaN, Number.POSITIVE_INFINITY].map(decimalFromNumber)).toEqual([null, null, null]);
  });

  it('decimals multiply exactly, and in any order', () => {
    fc.assert(
      fc.property(decimal, decimal, (one, other) => {
        expect(timesDecimal(one, other)).toBe(timesDecimal(other, one));
        expect(scaledToWhole(timesDecimal(one, '1000'), 6)).toBe(scaledToWhole(one, 6) * 1000n);
      }),
    );
  });
});
