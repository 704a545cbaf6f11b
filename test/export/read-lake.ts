import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** A night as the tables of a lake have it. */
interface NightInLake {
  readonly region: string;
  readonly snapshot_date: string;
  readonly run_id: number;
  readonly run_token: number;
  readonly certificate: string;
  readonly content_hash: string;
  readonly files: readonly { readonly dataset: string; readonly path: string; readonly sha256: string }[];
}

interface FileInTable {
  readonly dataset: string;
  /** Relative to the lake. */
  readonly path: string;
  readonly partition: Texts;
  readonly tags: Texts;
}

/** Nights of the table `prices`, with the files of all tables. */
export function nightsIn(lake: string): NightInLake[] {
  const files = tablesIn(lake).flatMap((dataset) => filesOfTable(lake, dataset));
  return files
    .filter(({ dataset }) => dataset === 'prices')
    .map(({ partition: { region = '', snapshot_date: date = '' }, tags }) => ({
      region,
      snapshot_date: date,
      run_id: Number(tags['run_id']),
      run_token: Number(tags['run_token']),
      certificate: tags['certificate']!,
      content_hash: tags['content_hash']!,
      files: files
        .filter(({ partition }) => partition['region'] === region && partition['snapshot_date'] === date)
        .map(({ dataset, path, tags: { sha256 = '' } }) => ({ dataset, path, sha256 })),
    }))
    .sort((a, b) => (`${a.region} ${a.snapshot_date}` < `${b.region} ${b.snapshot_date}` ? -1 : 1));
}

const tablesIn = (lake: string): string[] =>
  existsSync(lake) ? readdirSync(lake).filter((name) => existsSync(join(lake, name, '_delta_log'))) : [];

interface Action {
  readonly commitInfo?: { readonly userMetadata: string };
  readonly add?: { readonly path: string; readonly partitionValues: Texts; readonly tags: Texts };
  readonly remove?: { readonly path: string };
}

type Texts = Readonly<Record<string, string>>;

/** Commits of a table in their order, without checkpoints. */
export function commitsOf(lake: string, dataset: string): Action[][] {
  const log = join(lake, dataset, '_delta_log');
  const commits = readdirSync(log).filter((name) => /^\d{20}\.json$/.test(name));
  return commits.sort().map((name) =>
    readFileSync(join(log, name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
}

export function filesOfTable(lake: string, dataset: string): FileInTable[] {
  const files = new Map<string, FileInTable>();
  for (const { add, remove } of commitsOf(lake, dataset).flat()) {
    if (remove) files.delete(remove.path);
    if (add) {
      const path = `${dataset}/${add.path}`;
      files.set(add.path, { dataset, path, partition: add.partitionValues, tags: add.tags });
    }
  }
  return [...files.values()];
}

/** Where the file of a dataset and a night is. */
export function fileOf(lake: string, dataset: string, region: string, date: string): string {
  const night = nightsIn(lake).find((each) => each.region === region && each.snapshot_date === date);
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

/** Files of the tables that are missing or have other bytes. */
export function brokenPromises(lake: string): string[] {
  const files = filesIn(lake);
  return tablesIn(lake)
    .flatMap((dataset) => filesOfTable(lake, dataset))
    .filter(({ path, tags }) => files[path] !== tags['sha256'])
    .map(({ path }) => path);
}
