import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { ExportRefused } from '../../base/errors.ts';
import type { Database } from '../../db/client.ts';
import { contentHash } from '../../publish/content-hash.ts';
import { copyRows } from './copy-rows.ts';
import { type DatasetName, datasets } from './datasets.ts';
import { folderOf, putFile } from './delta-table.ts';
import { type Destination, digestOfFile } from './destination.ts';
import { withDuckdb } from './duckdb.ts';
import type { Lake, MadeFile } from './lake.ts';
import {
  contentOf,
  type ExportedNight,
  type ExportFormat,
  isCertified,
  type Night,
  type NightKey,
  readNights,
} from './nights.ts';
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
  key: NightKey,
  { format, includePartial }: NightFiles,
  signal: AbortSignal,
): Promise<ExportedNight | null> {
  const localPathOf = (dataset: DatasetName) => join(workFolder, `${dataset}.${format}`);

  /** Writes all files of the night from one snapshot. DuckDB is null for CSV, which PostgreSQL writes. */
  const makeFiles = (duckdb: DuckDBConnection | null) =>
    db.tx(
      async (tx) => {
        // Parallel workers are off: file writing uses the other core.
        await tx.query(`set local work_mem = '64MB'; set local max_parallel_workers_per_gather = 0`);
        const { region, snapshotDate: date } = key;
        const [night] = await readNights(tx, { region, from: date, to: date });
        if (!night || !(includePartial || isCertified(night))) return null;
        const files: MadeFile[] = [];
        for (const dataset of datasets) {
          const { name, columns } = dataset;
          const localPath = localPathOf(name);
          const path = duckdb ? `${localPath}.rows` : localPath;
          const rows = await copyRows({ db, tx }, { dataset, night, path, isForSpreadsheets: !duckdb }, signal);
          if (duckdb) {
            const found = await writeParquet(duckdb, { columns, rows: path, path: localPath });
            if (found !== rows) throw new Error(`${name} has ${found} rows in its file and ${rows} in the database`);
            await rm(path);
          }
          const digest = await digestOfFile(localPath);
          const file = { dataset: name, path: pathOf(name, key, { format, ...digest }), rows, ...digest };
          files.push({ localPath, file });
        }
        const [prices, products] = [localPathOf('prices'), localPathOf('products')];
        const found = duckdb ? await hashOfFiles(duckdb, { prices, products }) : await contentHash(tx, night.runId);
        refuseUnlessCertified(night, found);
        return { night, files };
      },
      { isolation: 'repeatable read', readOnly: true },
    );

  const made = await (format === 'parquet' ? withDuckdb(workFolder, makeFiles) : makeFiles(null));
  if (!made) return null;
  const { night, files } = made;
  if (format === 'parquet') await lake.commit(night, files, signal);
  else for (const { file, localPath } of files) await putFile(destination, file.path, localPath, signal);
  return {
    region: key.region,
    snapshot_date: key.snapshotDate,
    format,
    ...contentOf(night),
    files: files.map(({ file }) => file),
  };
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
  const folder = `${dataset}/${folderOf({ region: key.region, snapshot_date: key.snapshotDate })}`;
  return format === 'csv' ? `csv/${folder}/${dataset}.csv` : `${folder}/${dataset}-${sha256.slice(0, 16)}.parquet`;
}

/** Checks the hash read back from the files against the certificate. */
function refuseUnlessCertified({ region, snapshotDate, runId, contentHash }: Night, found: string | null): void {
  if (contentHash === found) return;
  throw new ExportRefused(
    `The night of ${region} ${snapshotDate} (run ${runId}) no longer matches its certificate, so it is not exported. ` +
      `Check it with \`pricebook certify --verify --run ${runId}\`; a replay of the night fixes it.`,
  );
}
