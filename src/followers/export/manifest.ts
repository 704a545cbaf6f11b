import { z } from 'zod';
import { ExportRefused } from '../../base/errors.ts';
import { RegionCode } from '../../base/model/index.ts';
import { type DatasetName, datasets } from './datasets.ts';

/** A file of a snapshot. */
export type ExportedFile = z.infer<typeof ExportedFile>;
export const ExportedFile = z.object({
  dataset: z.enum(['prices', 'price_changes', 'products', 'promotions']),
  /** Below the folder of the manifest, with `/`. */
  path: z.string(),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
});

export const ExportFormat = z.enum(['parquet', 'csv']);
export type ExportFormat = z.infer<typeof ExportFormat>;

/** A night as it was exported. Its key is region, snapshot date and format. */
export type ExportedNight = z.infer<typeof ExportedNight>;
export const ExportedNight = z.object({
  region: RegionCode,
  snapshot_date: z.iso.date(),
  format: ExportFormat,
  schema_version: z.int(),
  run_id: z.int(),
  /** Rises when the run is replayed. */
  run_epoch: z.int(),
  /** The night's change key in `marts.snapshot`; left out where it has none. */
  change_seq: z.int().optional(),
  /** The verdict on the run. */
  certificate: z.enum(['complete', 'complete_within_tolerance', 'partial']),
  /** sha256 over the rows of `prices`, as in the run's certificate; docs/analyse/lake.md says how it is computed. */
  content_hash: z.string(),
  files: z.array(ExportedFile),
});

/** What lies in a folder: nothing counts that it does not name. */
export type Manifest = z.infer<typeof Manifest>;
export const Manifest = z.object({
  version: z.literal(1),
  /** The world whose nights these are. */
  book: z.string(),
  /** The database they come from, whose keys of products are in the files; left out where it is about no world. */
  database: z.string().optional(),
  nights: z.array(ExportedNight),
  /** Nights that were taken out, whose files are still to be removed. */
  withdrawn: z.array(ExportedNight.pick({ region: true, snapshot_date: true, format: true })).optional(),
});

export const manifestPath = '_manifest.json';

/** Reads a manifest. Throws `ExportRefused` when it is none of ours, or of a newer program. */
export function parseManifest(text: string, where: string): Manifest {
  const parsed = Manifest.safeParse(attempt(() => JSON.parse(text)));
  if (parsed.success) return parsed.data;
  throw new ExportRefused(
    `${where} holds a ${manifestPath} that this program does not understand. Nothing was changed; export to another place, or remove it.`,
  );
}

/** The manifest as a text, the same for the same nights: a line a night, in the order of region, date and format. */
export function formatManifest({ version, book, database, withdrawn = [], nights }: Manifest): string {
  const lines = [...nights].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).map((night) => JSON.stringify(night));
  const head = [`"version":${version}`, `"book":${JSON.stringify(book)}`];
  if (database !== undefined) head.push(`"database":${JSON.stringify(database)}`);
  if (withdrawn.length > 0) head.push(`"withdrawn":${JSON.stringify(withdrawn)}`);
  return `{${head.join(',')},"nights":[\n${lines.join(',\n')}\n]}\n`;
}

/** The manifest with a night in place of what it had of it. */
export function withNight(manifest: Manifest, night: ExportedNight): Manifest {
  const { nights, ...rest } = withoutNight(manifest, night);
  return { ...rest, nights: [...nights, night] };
}

/** The manifest without a night, as one whose files are still to be removed if `isLeft`. */
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

/** What a manifest has of a night. */
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

/** `prices/region=uk/snapshot_date=2026-03-01`: what readers of hive partitions take region and date from. */
function partitionOf(dataset: DatasetName, { region, snapshot_date: date }: NightKey): string {
  return `${dataset}/region=${region}/snapshot_date=${date}`;
}

export function partitionsOf(night: NightKey): string[] {
  return datasets.map(({ name }) => partitionOf(name, night));
}

/** A file is named by what is in it: the same bytes have the same name, and no name ever gets other bytes. */
export function pathOf(dataset: DatasetName, night: NightKey, sha256: string): string {
  return `${partitionOf(dataset, night)}/${dataset}-${sha256.slice(0, 16)}.${night.format}`;
}

/** Whether a path is a name we gave, finished or not: everything else in these folders is somebody else's. */
export function isOurs(path: string, format: ExportFormat): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return new RegExp(`^\\.?[a-z_]+-[0-9a-f]{16}\\.${format}(\\.[0-9a-f]{12}\\.tmp)?$`).test(name);
}
