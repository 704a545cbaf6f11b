import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll } from 'vitest';
import { clockFrom } from '../../src/clock.ts';
import type { Database } from '../../src/db/client.ts';
import type { DatasetName } from '../../src/export/datasets.ts';
import { createExporter, type Exporter } from '../../src/export/exporter.ts';
import { createFolder } from '../../src/export/folder.ts';
import { Manifest, manifestPath } from '../../src/export/manifest.ts';
import { createLog } from '../../src/log.ts';
import { storeContentHashes } from '../../src/quality/audits/content-hash.ts';
import { fillFewNights } from '../db/few-nights.ts';

/** A folder for snapshots and a data folder, gone after the tests of the file. */
export function useFolders(): { readonly lake: string; readonly home: string } {
  const root = mkdtempSync(join(tmpdir(), 'pricebook-lake-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return { lake: join(root, 'lake'), home: join(root, 'home') };
}

/** The few nights with certificates and their content hashes. */
export async function fillCertifiedNights(db: Database): Promise<void> {
  await fillFewNights(db);
  await db.query(`
    insert into ops.certificate (run_id, verdict, reasons, evidence, computed_at)
    select run_id, verdict, '{}', '{}', observed_at from ops.run where status = 'published'`);
  // The night crawled twice had its hash before it was crawled again.
  await db.query(`update ops.run set status = 'held' where run_id = 6`);
  await storeContentHashes(db, 'uk');
  await db.query(`update ops.run set status = 'published' where run_id = 6`);
  for (const region of ['uk', 'ie']) await storeContentHashes(db, region);
}

export function exporterTo(db: Database, { lake, home }: { lake: string; home: string }): Exporter {
  return createExporter({
    db,
    clock: clockFrom(new Date('2026-03-10T00:00:00Z')),
    log: createLog({ level: 'silent' }),
    destination: createFolder(lake),
    home,
  });
}

export function manifestIn(lake: string): Manifest {
  return Manifest.parse(JSON.parse(readFileSync(join(lake, manifestPath), 'utf8')));
}

/** Where the file of a dataset is that the manifest names. */
export function fileOf(lake: string, dataset: DatasetName, region: string, date: string, format = 'parquet'): string {
  const night = manifestIn(lake).nights.find(
    (each) => each.region === region && each.snapshot_date === date && each.format === format,
  );
  return join(lake, night!.files.find((file) => file.dataset === dataset)!.path);
}

/** Every file below a folder with the hash of its bytes. */
export function filesIn(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [relative(folder, path), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );
}

/** What the manifest names and is not there, or not with those bytes. */
export function brokenPromises(lake: string): string[] {
  if (!existsSync(join(lake, manifestPath))) return [];
  const files = filesIn(lake);
  return manifestIn(lake).nights.flatMap(({ files: named }) =>
    named.filter(({ path, sha256 }) => files[path] !== sha256).map(({ path }) => path),
  );
}
