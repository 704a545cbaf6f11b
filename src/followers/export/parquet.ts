import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { ParquetUnavailable } from '../../base/errors.ts';
import type { Column } from './datasets.ts';

/** Readers skip row groups by their minimum and maximum product_id. */
const rowGroupSize = 32_768;

/** Maximum bytes of a row, many times the longest description. Reading a row needs twice as much memory. */
const longestRow = 2_000_000;

/** Memory limit of DuckDB: a row group and its input, never a whole night. */
const memoryLimit = '96MB';

export interface ParquetWriter {
  /** Converts a CSV file written by COPY to Parquet, in the same order. Returns the number of rows. */
  write(file: { readonly columns: readonly Column[]; readonly rows: string; readonly path: string }): Promise<number>;
  /** Content hash of a prices file, equal to `catalog.product_hash`. */
  contentHash(path: string): Promise<string>;
}

/**
 * Runs `use` with a private in-memory DuckDB. A single thread makes the output deterministic. It downloads nothing and
 * only accesses the given folders. Throws `ParquetUnavailable` if the platform has no build.
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

/** Loaded on first use, because it is a 70 MB binary. */
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
            coalesce(loyalty_price::varchar, '-'), availability, case when on_promotion then 't' else 'f' end)
          ), 15))::bigint), 0)::varchar
          from read_parquet(${quoted(path)})`),
      ),
  };
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
