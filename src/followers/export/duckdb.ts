import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { ParquetUnavailable } from '../../base/errors.ts';

/** Memory limit: a row group and its input, never a whole night. */
const memoryLimit = '96MB';

/**
 * Runs `use` with a private in-memory DuckDB. A single thread makes the output deterministic. It downloads nothing and
 * only accesses the given folders. Throws `ParquetUnavailable` if the platform has no build.
 */
export async function withDuckdb<Result>(
  workFolder: string,
  use: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  // Loaded on first use, because it is a 70 MB binary.
  const { DuckDBInstance } = await import('@duckdb/node-api').catch((error: unknown) => {
    throw new ParquetUnavailable(error);
  });
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
      return await use(connection);
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
