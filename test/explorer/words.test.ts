import { expect, test } from 'vitest';
import { money } from '../../src/explorer/words.ts';

test('money below nothing has its sign before the currency', () => {
  expect(money('-1.45', 'GBP')).toBe('−£1.45');
  expect(money('-0.5', 'EUR')).toBe('−€0.50');
  expect(money('1.2', 'GBP')).toBe('£1.20');
  expect(money('-3', 'USD')).toBe('−3.00 USD');
});
