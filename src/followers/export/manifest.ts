import { z } from 'zod';
import { ExportRefused } from '../../base/errors.ts';
import { RegionCode } from '../../base/model/index.ts';
import { type DatasetName, datasets } from './datasets.ts';

/** A file of a night. */
export type ExportedFile = z.infer<typeof ExportedFile>;
export const ExportedFile = z.object({
  dataset: z.enum(['prices', 'price_changes', 'products', 'promotions']),
  /** Relative to the manifest, with `/`. */
  path: z.string(),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
});

export const ExportFormat = z.enum(['parquet', 'csv']);
export type ExportFormat = z.infer<typeof ExportFormat>;

/** An exported night; its key is region, snapshot date and format. */
export type ExportedNight = z.infer<typeof ExportedNight>;
export const ExportedNight = z.object({
  region: RegionCode,
  snapshot_date: z.iso.date(),
  format: ExportFormat,
  schema_version: z.int(),
  run_id: z.int(),
  /** Increases when the run is replayed. */
  run_epoch: z.int(),
  /** Change key of the night in `marts.snapshot`; absent if it has none. */
  change_seq: z.int().optional(),
  /** Verdict of the certificate. */
  certificate: z.enum(['complete', 'complete_within_tolerance', 'partial']),
  /** sha256 over the rows of `prices`, as in the certificate; see docs/analyse/lake.md. */
  content_hash: z.string(),
  files: z.array(ExportedFile),
});

/** Index of a destination; readers use only the files it lists. */
export type Manifest = z.infer<typeof Manifest>;
export const Manifest = z.object({
  version: z.literal(1),
  /** World of these nights. */
  book: z.string(),
  /** Source database, whose product keys are in the files; absent if it has no world. */
  database: z.string().optional(),
  nights: z.array(ExportedNight),
  /** Withdrawn nights whose files are still to be deleted. */
  withdrawn: z.array(ExportedNight.pick({ region: true, snapshot_date: true, format: true })).optional(),
});

export const manifestPath = '_manifest.json';

/** Parses a manifest. Throws `ExportRefused` if it is invalid or from a newer version. */
export function parseManifest(text: string, where: string): Manifest {
  const parsed = Manifest.safeParse(attempt(() => JSON.parse(text)));
  if (parsed.success) return parsed.data;
  throw new ExportRefused(
    `${where} holds a ${manifestPath} that this program does not understand. Nothing was changed; ` +
      'export to another place, or remove it.',
  );
}

/** Deterministic text of a manifest: one line per night, ordered by region, date and format. */
export function formatManifest({ version, book, database, withdrawn = [], nights }: Manifest): string {
  const lines = [...nights].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).map((night) => JSON.stringify(night));
  const head = [`"version":${version}`, `"book":${JSON.stringify(book)}`];
  if (database !== undefined) head.push(`"database":${JSON.stringify(database)}`);
  if (withdrawn.length > 0) head.push(`"withdrawn":${JSON.stringify(withdrawn)}`);
  return `{${head.join(',')},"nights":[\n${lines.join(',\n')}\n]}\n`;
}

/** Manifest with a night added or replaced. */
export function withNight(manifest: Manifest, night: ExportedNight): Manifest {
  const { nights, ...rest } = withoutNight(manifest, night);
  return { ...rest, nights: [...nights, night] };
}

/** Manifest without a night; with `isLeft` its files are listed for deletion. */
export function withoutNight(manifest: Manifest, key: NightKey, isLeft = false): Manifest {
  const { region, snapshot_date, format } = key;
  const isOther = (other: NightKey) => keyOf(other) !== keyOf(key);
  return {
    ...manifest,
    nights: manifest.nights.filter(isOther),
    withdrawn: [...(manifest.withdrawn ?? []).filter(isOther), ...(isLeft ? [{ region, snapshot_date, format }] : [])],
  };
}

export type NightKey = Pick<ExportedNight, 'region' | 'snapshot_date' | 'format'>;

/** Entry of a night. */
export function exportedNight(manifest: Manifest | null, key: NightKey): ExportedNight | null {
  return manifest?.nights.find((night) => isSameNight(night, key)) ?? null;
}

export const isSameNight = (one: NightKey, other: NightKey): boolean => keyOf(one) === keyOf(other);

function keyOf({ region, snapshot_date: date, format }: NightKey): string {
  return `${region} ${date} ${format}`;
}

function attempt<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/**
 * `prices/region=uk/snapshot_date=2026-03-01`: what readers of hive partitions take region and date from. They read
 * every file below a folder, so CSV files have a root of their own, `csv/prices/…`.
 */
function partitionOf(dataset: DatasetName, { region, snapshot_date: date, format }: NightKey): string {
  return `${format === 'csv' ? 'csv/' : ''}${dataset}/region=${region}/snapshot_date=${date}`;
}

export function partitionsOf(night: NightKey): string[] {
  return datasets.map(({ name }) => partitionOf(name, night));
}

/** File name by content hash: equal bytes have equal names, and a name never changes its content. */
export function pathOf(dataset: DatasetName, night: NightKey, sha256: string): string {
  return `${partitionOf(dataset, night)}/${dataset}-${sha256.slice(0, 16)}.${night.format}`;
}

/** Whether a path has a name of this program, finished or temporary; other files are left alone. */
export function isOurs(path: string, format: ExportFormat): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return new RegExp(`^\\.?[a-z_]+-[0-9a-f]{16}\\.${format}(\\.[0-9a-f]{12}\\.tmp)?$`).test(name);
}
