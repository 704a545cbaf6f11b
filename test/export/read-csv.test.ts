import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRecord } from '../../src/followers/export/csv-record.ts';
import { readCsv } from '../../src/followers/export/read-csv.ts';

/** A text in pieces, cut anywhere. */
async function* inPieces(text: string, lengths: readonly number[]): AsyncGenerator<string> {
  let from = 0;
  for (const length of lengths) {
    yield text.slice(from, from + length);
    from += length;
  }
  yield text.slice(from);
}

async function read(text: string, lengths: readonly number[] = []): Promise<(string | null)[][]> {
  const records: (string | null)[][] = [];
  for await (const record of readCsv(inPieces(text, lengths))) records.push(record);
  return records;
}

const cell = fc.oneof(
  fc.constant(null),
  fc.string(),
  fc.constantFrom('', '"', ',', '\n', '\r\n', '\r', '""', 'a"b', '1.20', ' x '),
);
const record = fc.array(cell, { minLength: 2, maxLength: 5 });
const pieces = fc.array(fc.nat(7), { maxLength: 20 });

test('what COPY writes is read as it was, null apart from empty, wherever it is cut', async () => {
  const asCopied = (value: string | null) => (value === null ? '' : `"${value.replaceAll('"', '""')}"`);
  await fc.assert(
    fc.asyncProperty(fc.array(record), pieces, async (records, lengths) => {
      const text = records.map((cells) => `${cells.map(asCopied).join(',')}\n`).join('');
      expect(await read(text, lengths)).toEqual(records);
    }),
  );
});

test('what is written for spreadsheets is read as many records', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(record), pieces, async (records, lengths) => {
      expect(await read(records.map(csvRecord).join(''), lengths)).toHaveLength(records.length);
    }),
  );
});

test('a field that does not end is no field', async () => {
  await expect(read('a,"b\nc')).rejects.toThrow('a quoted field has no end');
});
