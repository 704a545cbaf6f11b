import { expect, test } from 'vitest';
import { writtenAmount } from '../../src/base/written-amount.ts';

test('the minus sign stands before the currency, and only for amounts below zero', () => {
  expect(writtenAmount('-0.5', 'GBP', '-')).toBe('-£0.50');
  expect(writtenAmount('-0.5', 'EUR', '−')).toBe('−€0.50');
  expect(writtenAmount('-0.000', 'GBP', '-')).toBe('£0.00');
  expect(writtenAmount('-3', 'USD', '-')).toBe('-3.00 USD');
});

test('an amount without a known currency is its digits, with the stated currency', () => {
  expect(writtenAmount('1.2', 'USD', '-')).toBe('1.20 USD');
  expect(writtenAmount('1.2', null, '-')).toBe('1.20');
  expect(writtenAmount('1.2', undefined, '−')).toBe('1.20');
});
