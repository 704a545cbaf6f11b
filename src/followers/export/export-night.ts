import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { ExportRefused } from '../../base/errors.ts';
import type { Database } from '../../db/client.ts';
import { contentHash } from '../../publish/quality/content-hash.ts';
import { copyRows } from './copy-rows.ts';
import { type DatasetName, datasets, schemaVersion } from './datasets.ts';
import { folderOf, putFile } from './delta-table.ts';
import { type Destination, digestOfFile } from './destination.ts';
import { withDuckdb } from './duckdb.ts';
import type { ExportedNight, ExportFormat, NightKey } from './exported-night.ts';
import type { Lake, MadeFile } from './lake.ts';
import { isCertified, type Night, readNight } from './nights.ts';
import { hashOfFiles, writeParquet } from './parquet.ts';

interface ExportNeeds {
  readonly db: Database;
  readonly destination: Destination;
  readonly lake: Lake;
  /** An empty local folder. */
  readonly workFolder: string;
}

interface NightFiles {
  readonly format: ExportFormat;
  readonly includePartial: boolean;
}

/**
 * Exports a night: rows from one snapshot, local files that are read back, upload and verification, and finally the
 * commits. CSV files are only uploaded. Null: the night no longer exists, or it is partial and partial nights are
 * excluded.
 */
export async function exportNight(
  { db, destination, lake, workFolder }: ExportNeeds,
  { region, snapshotDate }: Pick<Night, 'region' | 'snapshotDate'>,
  { format, includePartial }: NightFiles,
  signal: AbortSignal,
): Promise<ExportedNight | null> {
  const key: NightKey = { region, snapshot_date: snapshotDate };
  const make = (duckdb: DuckDBConnection | null) => makeNight(db, { key, workFolder, includePartial, duckdb }, signal);
  const made = await (format === 'parquet' ? withDuckdb(workFolder, make) : make(null));
  if (!made) return null;
  const { night, contentHash: found, files } = made;
  refuseUnlessCertified(night, found);
  if (format === 'parquet') await lake.commit(night, files, signal);
  else for (const { file, localPath } of files) await putFile(destination, file.path, localPath, signal);
  return {
    ...key,
    format,
    schema_version: schemaVersion,
    run_id: night.runId,
    run_epoch: night.epoch,
    ...(night.changeSeq === null ? {} : { change_seq: night.changeSeq }),
    certificate: night.verdict,
    content_hash: found,
    files: files.map(({ file }) => file),
  };
}

interface MadeNight {
  readonly night: Night;
  readonly contentHash: string;
  readonly files: readonly MadeFile[];
}

interface NightToMake {
  readonly key: NightKey;
  readonly workFolder: string;
  readonly includePartial: boolean;
  /** Null for CSV, which PostgreSQL writes. */
  readonly duckdb: DuckDBConnection | null;
}

/** Writes all files of a night from one snapshot. */
async function makeNight(
  db: Database,
  { key, workFolder, includePartial, duckdb }: NightToMake,
  signal: AbortSignal,
): Promise<MadeNight | null> {
  const format = duckdb ? 'parquet' : 'csv';
  const localPathOf = (dataset: DatasetName) => join(workFolder, `${dataset}.${format}`);
  return db.tx(
    async (tx) => {
      // Parallel workers are off: file writing uses the other core.
      await tx.query(`set local work_mem = '64MB'; set local max_parallel_workers_per_gather = 0`);
      const night = await readNight(tx, key.region, key.snapshot_date);
      if (!night || !(includePartial || isCertified(night))) return null;
      const files: MadeFile[] = [];
      for (const dataset of datasets) {
        const localPath = localPathOf(dataset.name);
        const path = duckdb ? `${localPath}.rows` : localPath;
        const rows = await copyRows({ db, tx }, { dataset, night, path, isForSpreadsheets: !duckdb }, signal);
        if (duckdb) {
          const found = await writeParquet(duckdb, { columns: dataset.columns, rows: path, path: localPath });
          if (found !== rows)
            throw new Error(`${dataset.name} has ${found} rows in its file and ${rows} in the database`);
          await rm(path);
        }
        const { bytes, sha256 } = await digestOfFile(localPath);
        const file = {
          dataset: dataset.name,
          path: pathOf(dataset.name, key, { format, sha256 }),
          rows,
          bytes,
          sha256,
        };
        files.push({ localPath, file });
      }
      const [prices, products] = [localPathOf('prices'), localPathOf('products')];
      const hash = duckdb ? await hashOfFiles(duckdb, { prices, products }) : await contentHash(tx, night.runId);
      return { night, files, contentHash: hash! };
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

/**
 * Parquet files are named by their content: a name never changes what it holds, and readers of an earlier version still
 * find theirs. CSV files are replaced under the same name, so that readers of a folder see a night once; they have a
 * root of their own, because tables may hold nothing else.
 */
function pathOf(
  dataset: DatasetName,
  key: NightKey,
  { format, sha256 }: { readonly format: ExportFormat; readonly sha256: string },
): string {
  const folder = `${dataset}/${folderOf({ region: key.region, snapshot_date: key.snapshot_date })}`;
  return format === 'csv' ? `csv/${folder}/${dataset}.csv` : `${folder}/${dataset}-${sha256.slice(0, 16)}.parquet`;
}

/** Checks the hash read back from the files against the certificate. */
function refuseUnlessCertified({ region, snapshotDate, runId, contentHash }: Night, found: string): void {
  if (contentHash === found) return;
  throw new ExportRefused(
    `The night of ${region} ${snapshotDate} (run ${runId}) no longer matches its certificate, so it is not exported. ` +
      `Check it with \`pricebook certify --verify --run ${runId}\`; a replay of the night fixes it.`,
  );
}
