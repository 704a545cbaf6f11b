import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRecord } from '../../src/followers/export/csv-record.ts';

test('cells are quoted where they must be, and only there', () => {
  expect(csvRecord(['plain', 'a,b', 'say "hi"', 'two\nlines', null, 1.5, true])).toBe(
    'plain,"a,b","say ""hi""","two\nlines",,1.5,true\r\n',
  );
});

test('a text a spreadsheet would run gets an apostrophe; a number does not', () => {
  expect(csvRecord(['=1+1', '+44', '-salted', '@me', '\tx', '-11.33', '-5'])).toBe(
    `'=1+1,'+44,'-salted,'@me,'\tx,-11.33,-5\r\n`,
  );
  expect(csvRecord(['\0=1', '\n=1', '＝1+1', '＋1', '－1', '＠x', '--1', '-1.'])).toBe(
    `'\0=1,"'\n=1",'＝1+1,'＋1,'－1,'＠x,'--1,'-1.\r\n`,
  );
});

test('what is written can be read back, apart from the apostrophe', () => {
  const cell = fc.oneof(fc.string(), fc.constantFrom('"', ',', '\r\n', '=cmd', '-', '', ' '));
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1 }), (cells) => {
      const read = parseRecord(csvRecord(cells));
      expect(read.map((text, i) => (text === `'${cells[i]}` ? text.slice(1) : text))).toEqual(cells);
      for (const text of read) {
        if (/^[=+\-@\t\r\0]/.test(text)) expect(text).toMatch(/^-\d+(\.\d+)?$/);
      }
    }),
  );
});

/** RFC 4180, one record with its line end. */
function parseRecord(text: string): string[] {
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    const match = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n$)/y;
    match.lastIndex = at;
    const found = match.exec(text);
    if (!found) throw new Error(`not a CSV record at ${at}: ${JSON.stringify(text)}`);
    cells.push(found[1] === undefined ? found[2]! : found[1].replaceAll('""', '"'));
    at = match.lastIndex;
    if (found[3] !== ',') return cells;
  }
}
