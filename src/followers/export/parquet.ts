import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { ParquetUnavailable } from '../../base/errors.ts';
import type { Column } from './datasets.ts';

/** Rows of a row group: readers skip groups by the least and greatest product_id in them. */
const rowGroupSize = 32_768;

/** In bytes, many times the longest description; reading takes twice as much memory. */
const longestRow = 2_000_000;

/** Of what DuckDB holds at once: a row group and its input. A whole night is never held. */
const memoryLimit = '96MB';

export interface ParquetWriter {
  /** Makes a file of rows as PostgreSQL's COPY writes CSV, in their order. Returns how many it has. */
  write(file: { readonly columns: readonly Column[]; readonly rows: string; readonly path: string }): Promise<number>;
  /** The content hash of a file of prices, as `catalog.product_hash` counts it. */
  contentHash(path: string): Promise<string>;
}

/**
 * A DuckDB of its own, without a file, for the length of `use`. One thread: the same rows then become the same bytes.
 * It downloads nothing and reads no folder but those it is told of. Throws `ParquetUnavailable` where there is no build
 * of it for the machine.
 */
export async function withParquetWriter<Result>(
  workFolder: string,
  use: (writer: ParquetWriter) => Promise<Result>,
): Promise<Result> {
  const { DuckDBInstance } = await loadDuckdb();
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: memoryLimit,
    temp_directory: join(workFolder, 'spill'),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  try {
    const connection = await instance.connect();
    try {
      return await use(writerOf(connection));
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}

/** Seventy megabytes of machine code: loaded when the first file is written, not when the program starts. */
async function loadDuckdb(): Promise<typeof import('@duckdb/node-api')> {
  try {
    return await import('@duckdb/node-api');
  } catch (error) {
    throw new ParquetUnavailable(error);
  }
}

function writerOf(duckdb: DuckDBConnection): ParquetWriter {
  const valueIn = async (select: string): Promise<unknown> => {
    const reader = await duckdb.runAndReadAll(select);
    return reader.getRows()[0]![0];
  };
  return {
    async write({ columns, rows, path }) {
      const types = columns.map(({ name, type }) => `${quoted(name)}: ${quoted(type)}`).join(', ');
      await duckdb.run(`
        copy (
          from read_csv(${quoted(rows)}, columns = {${types}}, header = false, auto_detect = false, parallel = false,
            delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false,
            max_line_size = ${longestRow}, buffer_size = ${2 * longestRow})
        ) to ${quoted(path)} (format parquet, compression zstd, row_group_size ${rowGroupSize})`);
      return Number(await valueIn(`select count(*)::integer from read_parquet(${quoted(path)})`));
    },
    contentHash: async (path) =>
      String(
        await valueIn(`
          select coalesce(sum(('0x' || left(md5(concat_ws(chr(31),
            product_id, title, coalesce(price::varchar, '-'), currency,
            coalesce(regexp_replace(unit_price::varchar, '\\.?0+$', ''), '-'), coalesce(unit_of_measure, '-'),
            coalesce(loyalty_price::varchar, '-'), availability, case when on_promotion then 't' else 'f' end)), 15))::bigint), 0)::varchar
          from read_parquet(${quoted(path)})`),
      ),
  };
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
