import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoted, withDuckdb } from './duckdb.ts';
import type { Writer, Written } from './formats.ts';

/** Rows of a row group: readers skip groups by the least and greatest product_id in them. */
const rowGroupSize = 32_768;

/** In bytes, many times the longest description; reading takes twice as much memory. */
const longestRow = 2_000_000;

/** DuckDB, which writes Parquet and reads it back, for the length of `use`. */
export function withParquetWriter<Result>(
  workFolder: string,
  use: (writer: Writer) => Promise<Result>,
): Promise<Result> {
  return withDuckdb(join(workFolder, 'spill'), (duckdb) =>
    use({
      write: (given) => write(duckdb, given),
      countRows: (given) => countRows(duckdb, given),
      contentHash: (given) => contentHash(duckdb, given),
    }),
  );
}

/** The rows keep their order. */
async function write(duckdb: DuckDBConnection, { columns, spoolPath, path }: Written): Promise<void> {
  const types = columns.map(({ name, type }) => `${quoted(name)}: ${quoted(type)}`).join(', ');
  await duckdb.run(`
    copy (
      from read_csv(${quoted(spoolPath)}, columns = {${types}}, header = false, auto_detect = false, parallel = false,
        delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false,
        max_line_size = ${longestRow}, buffer_size = ${2 * longestRow})
    ) to ${quoted(path)} (format parquet, compression zstd, row_group_size ${rowGroupSize})`);
}

async function countRows(duckdb: DuckDBConnection, { path }: Written): Promise<number> {
  const reader = await duckdb.runAndReadAll(`select count(*)::integer from read_parquet(${quoted(path)})`);
  return Number(reader.getRows()[0]![0]);
}

/** As `catalog.product_hash` counts them. */
async function contentHash(duckdb: DuckDBConnection, { path }: Written): Promise<string> {
  const reader = await duckdb.runAndReadAll(`
    select coalesce(sum(('0x' || left(md5(concat_ws(chr(31),
      product_id, title, coalesce(price::varchar, '-'), currency,
      coalesce(regexp_replace(unit_price::varchar, '\\.?0+$', ''), '-'), coalesce(unit_of_measure, '-'),
      coalesce(loyalty_price::varchar, '-'), availability, case when on_promotion then 't' else 'f' end)), 15))::bigint), 0)::varchar
    from read_parquet(${quoted(path)})`);
  return String(reader.getRows()[0]![0]);
}
