import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amount, unitAmount } from '../../../src/cli/output/amounts.ts';

test('the sign of an amount stands before its currency', () => {
  expect(amount('-1.45', 'GBP')).toBe('-£1.45');
  expect(amount('1.45', 'EUR')).toBe('€1.45');
  expect(amount('-1.45', 'USD')).toBe('-1.45 USD');
  expect(unitAmount('-0.20', 'kg', 'GBP')).toBe('-£0.20/kg');
});

test('a unit price has the digits of its currency, and as many more as the upstream gave', () => {
  expect(unitAmount('1.2', 'litre', 'GBP')).toBe('£1.20/litre');
  expect(unitAmount('3', 'kg', 'EUR')).toBe('€3.00/kg');
  expect(unitAmount('0.775', 'litre', 'GBP')).toBe('£0.775/litre');
  expect(unitAmount('0.7750', 'litre', 'GBP')).toBe('£0.775/litre');
  expect(unitAmount('0.000123', 'ml', 'GBP')).toBe('£0.000123/ml');
  expect(unitAmount(null, 'kg', 'GBP')).toBeNull();
});

test('whatever the digits of an amount, none is lost and at least two follow the point', () => {
  const decimal = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.stringMatching(/^[0-9]{0,15}$/));
  fc.assert(
    fc.property(decimal, fc.boolean(), ([whole, fraction], hasSign) => {
      // PostgreSQL's numeric knows no negative zero.
      const isNegative = hasSign && (whole > 0n || /[1-9]/.test(fraction));
      const said = `${isNegative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
      const shown = amount(said, 'GBP')!.replace('£', '');
      expect(shown).toMatch(/^-?\d+\.(\d\d|\d{2,}[1-9])$/);
      const canonical = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
      expect(canonical(shown)).toBe(canonical(said));
    }),
  );
});
