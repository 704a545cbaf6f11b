import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { csvRecord } from './csv-record.ts';
import type { Column } from './datasets.ts';
import type { Writer } from './formats.ts';
import { readCsv } from './read-csv.ts';

const recordsPerWrite = 1_000;

/** RFC 4180, with a header, and nothing a spreadsheet would run. */
export const csvWriter: Writer = {
  write: ({ spoolPath, path, columns }) => writeCsv(spoolPath, path, columns),
  countRows: ({ path }) => countCsv(path),
  // Texts in the file may have an apostrophe in front; the rows it was made of are as they were received.
  contentHash: ({ spoolPath, columns }) => contentHashOfRows(spoolPath, columns),
};

async function writeCsv(spoolPath: string, csvPath: string, columns: readonly Column[]): Promise<void> {
  async function* records(): AsyncGenerator<string> {
    let text = csvRecord(columns.map(({ name }) => name));
    let held = 1;
    for await (const fields of readCsv(createReadStream(spoolPath, 'utf8'))) {
      text += csvRecord(fields);
      held += 1;
      if (held < recordsPerWrite) continue;
      yield text;
      text = '';
      held = 0;
    }
    yield text;
  }
  await pipeline(records, createWriteStream(csvPath));
}

/** How many rows a file has below its header. */
async function countCsv(path: string): Promise<number> {
  let records = 0;
  for await (const _ of readCsv(createReadStream(path, 'utf8'))) records += 1;
  return records - 1;
}

/** As `catalog.product_hash` counts them. */
async function contentHashOfRows(spoolPath: string, columns: readonly Column[]): Promise<string> {
  let sum = 0n;
  const at = new Map(columns.map(({ name }, i) => [name, i]));
  for await (const fields of readCsv(createReadStream(spoolPath, 'utf8'))) {
    const field = (name: string) => fields[at.get(name)!] ?? null;
    const row = [
      field('product_id'),
      field('title'),
      field('price') ?? '-',
      field('currency'),
      withoutTrailingZeros(field('unit_price')) ?? '-',
      field('unit_of_measure') ?? '-',
      field('loyalty_price') ?? '-',
      field('availability'),
      field('on_promotion') === 'true' ? 't' : 'f',
    ];
    const text = row.filter((cell) => cell !== null).join('\x1f');
    sum += BigInt(`0x${createHash('md5').update(text).digest('hex').slice(0, 15)}`);
  }
  return String(sum);
}

function withoutTrailingZeros(decimal: string | null): string | null {
  return decimal?.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
}
