import { csvWriter } from './csv.ts';
import type { Column } from './datasets.ts';
import type { ExportFormat } from './manifest.ts';
import { withParquetWriter } from './parquet.ts';

/** Makes files of spooled rows, and reads them back. */
export interface Writer {
  write(given: Written): Promise<void>;
  countRows(given: Written): Promise<number>;
  /**
   * The content hash of a night, of its prices, as src/publish/quality/content-hash.ts computes it of `marts.as_of`.
   */
  contentHash(given: Written): Promise<string>;
}

/** A dataset's rows as PostgreSQL's COPY writes CSV, and the file made of them. */
export interface Written {
  readonly columns: readonly Column[];
  readonly spoolPath: string;
  readonly path: string;
}

/** Opens a format's writer for the length of `use`. */
type WithWriter = <Result>(workFolder: string, use: (writer: Writer) => Promise<Result>) => Promise<Result>;

export const formats: Readonly<Record<ExportFormat, WithWriter>> = {
  parquet: withParquetWriter,
  csv: (_, use) => use(csvWriter),
};
