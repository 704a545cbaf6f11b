import { describe, expect, it, vi } from 'vitest';
import { ParquetUnavailable } from '../../src/base/errors.ts';
import { useDatabase } from '../support/database.ts';
import { exporterTo, exportNight, fillCertifiedNights, useFolders } from './lake.ts';
import { filesIn } from './read-lake.ts';

// As on a machine it has no build for.
vi.mock('@duckdb/node-api', () => {
  throw new Error('unsupported platform');
});

describe('a platform without DuckDB', () => {
  const database = useDatabase();
  const folders = useFolders();

  it('Parquet is refused in one line with what to do, and CSV is written', async () => {
    await fillCertifiedNights(database.db);
    const exporter = exporterTo(database.db, folders);
    const refusal = await exportNight(exporter, '2026-03-01').catch((error) => error);
    expect(refusal).toBeInstanceOf(ParquetUnavailable);
    expect(refusal.message).toMatch(/^Parquet cannot be written on this machine: .*`--format csv`/);
    expect(refusal.message).not.toContain('\n');
    expect(filesIn(folders.lake)).toEqual({});

    await exportNight(exporter, '2026-03-01', { format: 'csv' });
    expect(Object.keys(filesIn(folders.lake))).toContain('csv/prices/region=uk/snapshot_date=2026-03-01/prices.csv');
  });
});
