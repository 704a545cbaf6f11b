import { expect, test } from 'vitest';
import { formatTable } from '../../../src/cli/output/table.ts';

test('columns are as wide as what stands in them, numbers to the right', () => {
  expect(
    formatTable(
      ['id', 'title', 'price'],
      [
        [1, 'Tea', '10.50'],
        [12, 'Milk', '1.20'],
      ],
    ),
  ).toBe('id  title  price\n--  -----  -----\n 1  Tea    10.50\n12  Milk    1.20\n');
});

test('a text of others cannot steer the terminal, nor break the table', () => {
  const table = formatTable(['title'], [['\x1b[31mred\x1b[0m\x1b]0;owned\x07 tea\r\nmore']]);
  expect(table).toBe('title\n------------\nred tea more\n');
  expect(formatTable(['title'], [['\u202etea\u2066 \u200fmilk']])).toBe('title\n--------\ntea milk\n');
});

test('long texts are cut', () => {
  expect(formatTable(['t'], [['x'.repeat(60)]], 10)).toBe(`t\n----------\n${'x'.repeat(9)}…\n`);
});
