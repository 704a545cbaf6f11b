import { csvRecord } from '../../base/csv.ts';
import { type Column, format as formatted, headingOf, isNumeric, type Row } from '../../base/format.ts';
import type { Console } from '../console.ts';
import type { ValuesOf } from '../define-verb.ts';
import { flag } from '../option-values.ts';
import { type TableColumns, tableOf } from './table.ts';

export const formats = () => ({
  json: flag('--json', 'print JSON, with amounts as exact strings').conflicts('csv'),
  csv: flag('--csv', 'print CSV (RFC 4180; text that a spreadsheet would execute gets an apostrophe)'),
});

export type FormatOptions = ValuesOf<ReturnType<typeof formats>>;

export function formatOf({ json, csv }: FormatOptions): 'table' | 'csv' | 'json' {
  if (json) return 'json';
  return csv ? 'csv' : 'table';
}

/** The columns as people read them; a price per unit has its unit: `£2.57/litre`. */
export const inWords = (columns: readonly Column[]): TableColumns<Row> =>
  columns
    .filter(({ name }) => name !== 'unit_of_measure')
    .map((column) => [headingOf(column), (row) => shown(row, column), isNumeric(column)]);

/** A cell of a column. */
export function shown(row: Row, column: Column): string {
  const text = formatted(row, column, 'terminal');
  const unit = column.name === 'unit_price' && text !== '' ? row['unit_of_measure'] : null;
  return unit ? `${text}/${unit === 'each' ? 'piece' : unit}` : text;
}

/**
 * Streams rows to stdout as a table, CSV, or one JSON object `{ "version": 1, …head, "rows": [ … ] }`. Returns the
 * number of rows written; stops if the reader closes the pipe.
 */
export async function writeRows(
  console: Console,
  format: ReturnType<typeof formatOf>,
  {
    columns,
    head = {},
    table = [],
    batches,
  }: {
    readonly columns: readonly string[];
    /** Fields of the JSON beside the rows. */
    readonly head?: Row;
    /** Columns of the table, formatted for people; fewer than in CSV and JSON. */
    readonly table?: TableColumns<Row>;
    readonly batches: AsyncIterable<readonly Row[]> | readonly (readonly Row[])[];
  },
): Promise<number> {
  if (format === 'table') {
    // Column widths depend on all rows, so a table is buffered; tables are short by default.
    const rows: Row[] = [];
    for await (const batch of batches) rows.push(...batch);
    if (rows.length > 0) await console.data(tableOf(table, rows));
    return rows.length;
  }
  const isJson = format === 'json';
  const jsonHead = `${JSON.stringify({ version: 1, ...head }).slice(0, -1)},"rows":[`;
  let isRead = await console.data(isJson ? jsonHead : csvRecord(columns));
  let count = 0;
  for await (const batch of batches) {
    if (!isRead) return count;
    const texts = batch.map((row, i) => {
      if (!isJson) return csvRecord(columns.map((name) => row[name]));
      const object = Object.fromEntries(columns.map((name) => [name, row[name]]));
      return `${count + i === 0 ? '' : ','}\n${JSON.stringify(object)}`;
    });
    isRead = await console.data(texts.join(''));
    count += batch.length;
  }
  if (isRead && isJson) await console.data('\n]}\n');
  return count;
}
