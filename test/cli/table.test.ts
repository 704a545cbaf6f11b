import { expect, test } from 'vitest';
import { formatTable } from '../../src/cli/output/table.ts';

test('columns are as wide as their contents, and numbers are right-aligned', () => {
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

test('foreign text cannot control the terminal or break the table', () => {
  const table = formatTable(['title'], [['\x1b[31mred\x1b[0m\x1b]0;owned\x07 tea\r\nmore']]);
  expect(table).toBe('title\n------------\nred tea more\n');
  expect(formatTable(['title'], [['\u202etea\u2066 \u200fmilk']])).toBe('title\n--------\ntea milk\n');
});
