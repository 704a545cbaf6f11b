import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRecord, readCsv } from '../../src/base/csv.ts';

test('cells are quoted where they must be, and only there', () => {
  expect(csvRecord(['plain', 'a,b', 'say "hi"', 'two\nlines', null, 1.5, true])).toBe(
    'plain,"a,b","say ""hi""","two\nlines",,1.5,true\r\n',
  );
});

test('a text that a spreadsheet would run gets an apostrophe; a number does not', () => {
  expect(csvRecord(['=1+1', '+44', '-salted', '@me', '\tx', '-11.33', '-5'])).toBe(
    `'=1+1,'+44,'-salted,'@me,'\tx,-11.33,-5\r\n`,
  );
  expect(csvRecord(['\0=1', '\n=1', '＝1+1', '＋1', '－1', '＠x', '--1', '-1.'])).toBe(
    `'\0=1,"'\n=1",'＝1+1,'＋1,'－1,'＠x,'--1,'-1.\r\n`,
  );
});

test('records are read back as they were written, apart from the apostrophe and from empty cells', () => {
  const cell = fc.oneof(fc.string(), fc.constantFrom('"', ',', '\r\n', '\n', '=cmd', '-', '', ' '));
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2 }), { minLength: 1 }), (records) => {
      const read = readCsv(records.map(csvRecord).join(''));
      expect(
        read.map((record, r) => record.map((text, i) => (text === `'${records[r]![i]}` ? text.slice(1) : text))),
      ).toEqual(records.map((record) => record.map((text) => text || null)));
    }),
  );
});

test('an empty field is null, an empty text in quotes is not, and a last line needs no end', () => {
  expect(readCsv('a,,""\n,"b\n"')).toEqual([
    ['a', null, ''],
    [null, 'b\n'],
  ]);
});

test.each(['a,"b\nc', 'a"b"', '"a"b,c'])('%j is no CSV', (text) => {
  expect(() => readCsv(text)).toThrow('does not enclose a field');
});
