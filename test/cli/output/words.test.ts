import { expect, test } from 'vitest';
import { count, duration } from '../../../src/cli/output/words.ts';

test('durations take two units at most', () => {
  expect([0.4, 59.4, 60, 75, 3_599, 3_600, 5_400, 86_460].map(duration)).toEqual([
    '0 s',
    '59 s',
    '1 min',
    '1 min 15 s',
    '59 min 59 s',
    '1 h',
    '1 h 30 min',
    '24 h 1 min',
  ]);
});

test('large numbers are grouped', () => {
  expect(count(1_234_567.4)).toBe('1,234,567');
});
