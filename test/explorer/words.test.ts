import { expect, test } from 'vitest';
import { unitPrice } from '../../src/web/parts.tsx';
import { exactMoney, money } from '../../src/web/words.ts';

test('money below nothing has its sign before the currency', () => {
  expect(money('-1.45', 'GBP')).toBe('−£1.45');
  expect(money('-0.5', 'EUR')).toBe('−€0.50');
  expect(money('1.2', 'GBP')).toBe('£1.20');
  expect(money('-3', 'USD')).toBe('−3.00 USD');
});

test('a unit price keeps every digit that the upstream gave, where other amounts are rounded', () => {
  expect(exactMoney('1.2', 'GBP')).toBe('£1.20');
  expect(exactMoney('0.000123', 'GBP')).toBe('£0.000123');
  expect(exactMoney('-0.0001230', 'EUR')).toBe('−€0.000123');
  expect(exactMoney('3', null)).toBe('3.00');
  expect(money('0.000123', 'GBP')).toBe('£0.0001');
  const shop = { unit_of_measure: 'litre', currency: 'GBP' };
  expect(unitPrice({ ...shop, unit_price: '0.000123' })).toBe('£0.000123 per litre');
  expect(unitPrice({ ...shop, unit_price: null })).toBe('–');
});
