import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { DatasetName } from '../../src/followers/export/datasets.ts';
import { Manifest, manifestPath } from '../../src/followers/export/manifest.ts';

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

/** Files in the manifest that are missing or have other bytes. */
export function brokenPromises(lake: string): string[] {
  if (!existsSync(join(lake, manifestPath))) return [];
  const files = filesIn(lake);
  return manifestIn(lake).nights.flatMap(({ files: named }) =>
    named.filter(({ path, sha256 }) => files[path] !== sha256).map(({ path }) => path),
  );
}
