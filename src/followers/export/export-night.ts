import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ExportRefused, HomeUnusable } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import type { Database } from '../../db/client.ts';
import { type Book, commitNight } from './commit.ts';
import { type Dataset, datasets, schemaVersion } from './datasets.ts';
import type { Destination } from './destination.ts';
import { digestOfFile } from './digest.ts';
import { formats, type Writer } from './formats.ts';
import { pathOf } from './layout.ts';
import type { ExportedFile, ExportedNight, ExportFormat, NightKey } from './manifest.ts';
import { isCertified, type Night, readNight } from './nights.ts';
import { spool } from './spool.ts';

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
    const made = await makeNight(db, key, { workFolder, includePartial }, signal).catch((error) => {
      throw HomeUnusable.of(workFolder, error) ?? error;
    });
    if (!made) return null;
    const { night, contentHash, files } = made;
    refuseUnlessCertified(night, contentHash);
    const exported: ExportedNight = {
      ...key,
      schema_version: schemaVersion,
      run_id: night.runId,
      run_epoch: night.epoch,
      ...(night.changeSeq === null ? {} : { change_seq: night.changeSeq }),
      certificate: night.verdict,
      content_hash: contentHash,
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
  /** Of the prices; null for others. */
  readonly contentHash: string | null;
}

interface MadeNight {
  readonly night: Night;
  readonly contentHash: string;
  readonly files: readonly MadeFile[];
}

/**
 * All rows of a night from one state of the database; while the next rows come, files are made of those that are here.
 */
async function makeNight(
  db: Database,
  key: NightKey,
  { workFolder, includePartial }: Pick<ExportNeeds, 'workFolder'> & Pick<NightFiles, 'includePartial'>,
  signal: AbortSignal,
): Promise<MadeNight | null> {
  return formats[key.format](workFolder, async (writer) => {
    let making: Promise<MadeFile>[] = [];
    try {
      const night = await db.tx(
        async (tx) => {
          await Promise.allSettled(making);
          making = [];
          // The other core makes files meanwhile.
          await tx.query(`set local work_mem = '64MB'; set local max_parallel_workers_per_gather = 0`);
          const found = await readNight(tx, key.region, key.snapshot_date);
          if (!found || !(includePartial || isCertified(found))) return null;
          let last: Promise<unknown> = Promise.resolve();
          for (const dataset of datasets) {
            const spoolPath = join(workFolder, `${dataset.name}.rows`);
            const rows = await spool({ db, tx }, { dataset, night: found, path: spoolPath }, signal);
            const one = last.then(() => makeFile(writer, { dataset, key, rows, spoolPath, workFolder }));
            // Heard below, when all rows are here.
            one.catch(() => undefined);
            last = one;
            making.push(one);
          }
          return found;
        },
        { isolation: 'repeatable read', readOnly: true },
      );
      if (!night) return null;
      const files = await Promise.all(making);
      return { night, files, contentHash: files.find(({ file }) => file.dataset === 'prices')!.contentHash! };
    } finally {
      await Promise.allSettled(making);
    }
  });
}

/** Makes a file and reads it back: it has as many rows as the database gave. */
async function makeFile(
  writer: Writer,
  given: {
    readonly dataset: Dataset;
    readonly key: NightKey;
    readonly rows: number;
    readonly spoolPath: string;
    readonly workFolder: string;
  },
): Promise<MadeFile> {
  const { dataset, key, rows, spoolPath, workFolder } = given;
  const path = join(workFolder, `${dataset.name}.${key.format}`);
  const written = { columns: dataset.columns, spoolPath, path };
  await writer.write(written);
  const found = await writer.countRows(written);
  if (found !== rows) throw new Error(`${dataset.name} has ${found} rows in its file and ${rows} in the database`);
  const contentHash = dataset.name === 'prices' ? await writer.contentHash(written) : null;
  await rm(spoolPath);
  const { bytes, sha256 } = await digestOfFile(path);
  const file = { dataset: dataset.name, path: pathOf(dataset.name, key, sha256), rows, bytes, sha256 };
  return { localPath: path, file, contentHash };
}

/** What was read back from the file of prices is what was certified. */
function refuseUnlessCertified({ region, snapshotDate, runId, contentHash }: Night, found: string): void {
  if (contentHash === null || contentHash === found) return;
  throw new ExportRefused(
    `The night of ${region} ${snapshotDate} (run ${runId}) no longer reads as it was certified, so it is not exported. \`pricebook certify --verify --run ${runId}\` says the same; a replay of the night fixes it.`,
  );
}
