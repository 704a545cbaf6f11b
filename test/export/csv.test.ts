import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRecord, readCsv } from '../../src/base/csv.ts';

test('cells are quoted only where necessary', () => {
  expect(csvRecord(['plain', 'a,b', 'say "hi"', 'two\nlines', null, 1.5, true])).toBe(
    'plain,"a,b","say ""hi""","two\nlines",,1.5,true\r\n',
  );
});

test('a text that a spreadsheet would execute gets an apostrophe; a number does not', () => {
  expect(csvRecord(['=1+1', '+44', '-salted', '@me', '\tx', '-11.33', '-5'])).toBe(
    `'=1+1,'+44,'-salted,'@me,'\tx,-11.33,-5\r\n`,
  );
  expect(csvRecord(['\0=1', '\n=1', '＝1+1', '＋1', '－1', '＠x', '--1', '-1.'])).toBe(
    `'\0=1,"'\n'=1",'＝1+1,'＋1,'－1,'＠x,'--1,'-1.\r\n`,
  );
});

test('a formula after a separator of another locale gets an apostrophe, too', () => {
  const texts = ['a;=1+1', 'a;-cmd', 'a\t+1', 'a|@me', 'a\n=1', 'a;"=1', 'a; ＝1', ';=1;=2', 'a; b', '1;5', 'a-b;c=d'];
  expect(csvRecord(texts)).toBe(
    `a;'=1+1,a;'-cmd,a\t'+1,a|'@me,"a\n'=1","a;""'=1",a; '＝1,;'=1;'=2,a; b,1;5,a-b;c=d\r\n`,
  );
});

test('records are read back as they were written, except for the apostrophe and empty cells', () => {
  const cell = fc.oneof(fc.string(), fc.constantFrom('"', ',', '\r\n', '\n', '=cmd', '-', '', ' '));
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2 }), { minLength: 1 }), (records) => {
      const read = readCsv(records.map(csvRecord).join(''));
      expect(read.map((record) => record.map((text) => text?.replaceAll("'", '') || null))).toEqual(
        records.map((record) => record.map((text) => text.replaceAll("'", '') || null)),
      );
    }),
  );
});

test('an empty field is null, a quoted empty text is not, and the last line needs no line break', () => {
  expect(readCsv('a,,""\n,"b\n"')).toEqual([
    ['a', null, ''],
    [null, 'b\n'],
  ]);
});

test.each(['a,"b\nc', 'a"b"', '"a"b,c'])('%j is not valid CSV', (text) => {
  expect(() => readCsv(text)).toThrow('does not enclose a field');
});
