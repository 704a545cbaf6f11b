import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ExportRefused, HomeUnusable } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import type { Database } from '../../db/client.ts';
import { contentHash } from '../../publish/quality/content-hash.ts';
import { type Book, commitNight } from './commit.ts';
import { copyRows } from './copy-rows.ts';
import { datasets, schemaVersion } from './datasets.ts';
import { type Destination, digestOfFile } from './destination.ts';
import { type ExportedFile, type ExportedNight, type ExportFormat, type NightKey, pathOf } from './manifest.ts';
import { isCertified, type Night, readNight } from './nights.ts';
import { type ParquetWriter, withParquetWriter } from './parquet.ts';

interface ExportNeeds {
  readonly db: Database;
  readonly destination: Destination;
  /** A folder of this export's own, for files that are being made. */
  readonly workFolder: string;
  readonly book: Book;
}

interface NightFiles {
  readonly format: ExportFormat;
  readonly includePartial: boolean;
}

/**
 * Exports a night: rows from one state of the database, files made of them here and read back, put there and read back,
 * then the manifest, last. Cut off anywhere, the manifest names what it named before. Null: there is no such night any
 * more, or it is partial and such are left out.
 */
export async function exportNight(
  { db, destination, workFolder, book }: ExportNeeds,
  { region, snapshotDate }: Pick<Night, 'region' | 'snapshotDate'>,
  { format, includePartial }: NightFiles,
  signal: AbortSignal,
): Promise<ExportedNight | null> {
  const key: NightKey = { region, snapshot_date: snapshotDate, format };
  await rm(workFolder, { recursive: true, force: true });
  makeFolder(workFolder);
  try {
    const make = (parquet: ParquetWriter | null) => makeNight(db, { key, workFolder, includePartial, parquet }, signal);
    const made = await (format === 'parquet' ? withParquetWriter(workFolder, make) : make(null)).catch((error) => {
      throw HomeUnusable.of(workFolder, error) ?? error;
    });
    if (!made) return null;
    const { night, contentHash: found, files } = made;
    refuseUnlessCertified(night, found);
    const exported: ExportedNight = {
      ...key,
      schema_version: schemaVersion,
      run_id: night.runId,
      run_epoch: night.epoch,
      ...(night.changeSeq === null ? {} : { change_seq: night.changeSeq }),
      certificate: night.verdict,
      content_hash: found,
      files: files.map(({ file }) => file),
    };
    await commitNight({ destination, book }, exported, files, signal);
    return exported;
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

/** A file made here, and where it goes. */
export interface MadeFile {
  readonly localPath: string;
  readonly file: ExportedFile;
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
  /** Null for CSV, which PostgreSQL writes itself. */
  readonly parquet: ParquetWriter | null;
}

/** All rows of a night from one state of the database. */
async function makeNight(
  db: Database,
  { key, workFolder, includePartial, parquet }: NightToMake,
  signal: AbortSignal,
): Promise<MadeNight | null> {
  return db.tx(
    async (tx) => {
      // Parallel workers are off: file writing uses the other core.
      await tx.query(`set local work_mem = '64MB'; set local max_parallel_workers_per_gather = 0`);
      const night = await readNight(tx, key.region, key.snapshot_date);
      if (!night || !(includePartial || isCertified(night))) return null;
      const made: MadeFile[] = [];
      let hash: string | null = null;
      for (const dataset of datasets) {
        const localPath = join(workFolder, `${dataset.name}.${key.format}`);
        const path = parquet ? `${localPath}.rows` : localPath;
        const rows = await copyRows({ db, tx }, { dataset, night, path, isForSpreadsheets: !parquet }, signal);
        const found = parquet ? await parquet.write({ columns: dataset.columns, rows: path, path: localPath }) : rows;
        if (found !== rows)
          throw new Error(`${dataset.name} has ${found} rows in its file and ${rows} in the database`);
        if (parquet) await rm(path);
        if (dataset.name === 'prices')
          hash = parquet ? await parquet.contentHash(localPath) : await contentHash(tx, night.runId);
        const { bytes, sha256 } = await digestOfFile(localPath);
        const file = { dataset: dataset.name, path: pathOf(dataset.name, key, sha256), rows, bytes, sha256 };
        made.push({ localPath, file });
      }
      return { night, files: made, contentHash: hash! };
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

/** What was read back from the file of prices is what was certified. */
function refuseUnlessCertified({ region, snapshotDate, runId, contentHash }: Night, found: string): void {
  if (contentHash === null || contentHash === found) return;
  throw new ExportRefused(
    `The night of ${region} ${snapshotDate} (run ${runId}) no longer reads as it was certified, so it is not exported. \`pricebook certify --verify --run ${runId}\` says the same; a replay of the night fixes it.`,
  );
}
