import type { DuckDBConnection } from '@duckdb/node-api';
import { ParquetUnavailable } from '../../base/errors.ts';

/** Of what it holds at once: a row group and its input. A whole night is never held. */
const memoryLimit = '96MB';

/**
 * A DuckDB of its own, without a file, for the length of `use`. One thread: the same rows then become the same bytes.
 * It downloads nothing and reads no folder but those it is told of. Throws `ParquetUnavailable` where there is no build
 * of it for the machine.
 */
export async function withDuckdb<Result>(
  spillFolder: string,
  use: (duckdb: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  const { DuckDBInstance } = await loadDuckdb();
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: memoryLimit,
    temp_directory: spillFolder,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  try {
    const connection = await instance.connect();
    try {
      return await use(connection);
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

/** A text within a statement of DuckDB. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
