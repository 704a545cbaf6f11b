import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sparkline } from '../../../src/cli/output/sparkline.ts';

test('lowest to highest, and a gap where nothing is known', () => {
  expect(sparkline([1, 2, null, 8])).toBe('▁▂ █');
  expect(sparkline([3, 3, 3])).toBe('▄▄▄');
  expect(sparkline([])).toBe('');
});

test('more values than there is room for are drawn as the last known of each stretch', () => {
  expect(sparkline([1, 2, 8, null], 2)).toBe('▁█');
});

test('it has a bar for every value, or as many as there is room for', () => {
  const values = fc.array(fc.option(fc.double({ min: 0.01, max: 1_000, noNaN: true })), { maxLength: 200 });
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 80 }), (drawn, width) => {
      expect(sparkline(drawn, width)).toMatch(/^[▁▂▃▄▅▆▇█ ]*$/);
      expect(sparkline(drawn, width).length).toBe(Math.min(drawn.length, width));
    }),
  );
});
