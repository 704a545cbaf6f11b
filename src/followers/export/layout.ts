import { type DatasetName, datasets } from './datasets.ts';
import type { ExportFormat, NightKey } from './manifest.ts';

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
