import { expect, test } from 'vitest';
import { amount, unitAmount } from '../../../src/cli/output/amounts.ts';

test('the sign of an amount stands before its currency', () => {
  expect(amount('-1.45', 'GBP')).toBe('-£1.45');
  expect(amount('1.45', 'EUR')).toBe('€1.45');
  expect(amount('-1.45', 'USD')).toBe('-1.45 USD');
  expect(unitAmount('-0.20', 'kg', 'GBP')).toBe('-£0.20/kg');
});
