import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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
  /** Working folder, emptied before and removed after; null: a new one for temporary files. */
  readonly workFolder: string | null;
  readonly book: Book;
}

interface NightFiles {
  readonly format: ExportFormat;
  readonly includePartial: boolean;
}

/**
 * Exports a night: rows from one snapshot, local files that are read back, upload and verification, and finally the
 * manifest. Interrupted at any point, the manifest stays unchanged. Null: the night no longer exists, or it is partial
 * and partial nights are excluded.
 */
export async function exportNight(
  { db, destination, workFolder: given, book }: ExportNeeds,
  { region, snapshotDate }: Pick<Night, 'region' | 'snapshotDate'>,
  { format, includePartial }: NightFiles,
  signal: AbortSignal,
): Promise<ExportedNight | null> {
  const key: NightKey = { region, snapshot_date: snapshotDate, format };
  const workFolder = given ?? (await mkdtemp(join(tmpdir(), 'pricebook-export-')));
  if (given !== null) {
    await rm(given, { recursive: true, force: true });
    makeFolder(given);
  }
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

/** A local file and its destination. */
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
  /** Null for CSV, which PostgreSQL writes. */
  readonly parquet: ParquetWriter | null;
}

/** Writes all files of a night from one snapshot. */
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

/** Checks the hash read back from the prices file against the certificate. */
function refuseUnlessCertified({ region, snapshotDate, runId, contentHash }: Night, found: string): void {
  if (contentHash === found) return;
  throw new ExportRefused(
    `The night of ${region} ${snapshotDate} (run ${runId}) no longer matches its certificate, so it is not exported. ` +
      `Check it with \`pricebook certify --verify --run ${runId}\`; a replay of the night fixes it.`,
  );
}
