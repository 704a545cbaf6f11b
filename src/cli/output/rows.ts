import { type Command, Option } from 'commander';
import { csvRecord } from '../../base/csv.ts';
import type { Console } from '../console.ts';
import { formatTable } from './table.ts';

type RowFormat = 'table' | 'csv' | 'json';

export interface FormatOptions {
  readonly json?: boolean;
  readonly csv?: boolean;
}

/** Adds `--json` and `--csv`. */
export function declareFormats(command: Command): void {
  command
    .addOption(new Option('--json', 'print JSON, with amounts as exact strings').conflicts('csv'))
    .addOption(new Option('--csv', 'print CSV (RFC 4180; text that a spreadsheet would execute gets an apostrophe)'));
}

export function formatOf({ json, csv }: FormatOptions): RowFormat {
  if (json) return 'json';
  return csv ? 'csv' : 'table';
}

/**
 * Streams rows to stdout as a table, CSV, or one JSON object `{ "version": 1, …head, "rows": [ … ] }`. Returns the
 * number of rows written; stops if the reader closes the pipe.
 */
export async function writeRows(
  console: Console,
  format: RowFormat,
  given: {
    readonly columns: readonly string[];
    readonly head: Readonly<Record<string, unknown>>;
    /** Columns of the table, formatted for people; fewer than in CSV and JSON. */
    readonly table?: TableColumns;
    readonly batches: AsyncIterable<Batch> | readonly Batch[];
  },
): Promise<number> {
  const { head, batches } = given;
  const shown: TableColumns | null = format === 'table' ? (given.table ?? null) : null;
  const columns = shown ? Object.keys(shown) : given.columns;
  const writer = writers[format](columns, head);
  let count = 0;
  if (!(await console.data(writer.opening))) return count;
  for await (const batch of batches) {
    const text = batch
      .map((row, i) =>
        writer.row(
          columns.map((name) => (shown ? shown[name]!(row) : row[name])),
          count + i === 0,
        ),
      )
      .join('');
    count += batch.length;
    if (!(await console.data(text))) return count;
  }
  await console.data(writer.closing());
  return count;
}

type Batch = readonly Readonly<Record<string, unknown>>[];

/** Columns of a table by heading. */
export type TableColumns = Readonly<Record<string, (row: Readonly<Record<string, unknown>>) => unknown>>;

interface Writer {
  readonly opening: string;
  row(cells: readonly unknown[], isFirst: boolean): string;
  closing(): string;
}

type CreateWriter = (columns: readonly string[], head: Readonly<Record<string, unknown>>) => Writer;

const writers: Record<RowFormat, CreateWriter> = {
  csv: (columns) => ({ opening: csvRecord(columns), row: csvRecord, closing: () => '' }),

  json: (columns, head) => ({
    opening: `${JSON.stringify({ version: 1, ...head }).slice(0, -1)},"rows":[`,
    row: (cells, isFirst) =>
      `${isFirst ? '' : ','}\n${JSON.stringify(Object.fromEntries(columns.map((name, i) => [name, cells[i]])))}`,
    closing: () => '\n]}\n',
  }),

  // Column widths depend on all rows, so a table is buffered; tables are short by default.
  table: (columns) => {
    const rows: (readonly unknown[])[] = [];
    return {
      opening: '',
      row(cells) {
        rows.push(cells);
        return '';
      },
      closing: () => formatTable(columns, rows),
    };
  },
};
