import { createBucket } from '../../followers/export/bucket.ts';
import { createExporter, type Exporter } from '../../followers/export/exporter.ts';
import { createFolder } from '../../followers/export/folder.ts';
import type { Base } from './data.ts';

/** Writes nights as files to a folder or bucket; null: no destination. */
export function composeExporter(
  { config, clock, log, db }: Pick<Base, 'config' | 'clock' | 'log' | 'db'>,
  to: string | null,
): Exporter | null {
  if (to === null) return null;
  const destination = isBucketUrl(to) ? createBucket(to, config.bucketAccess) : createFolder(to);
  return createExporter({ db, clock, log, home: config.home, destination });
}

/** Any URL scheme counts, because a path with a scheme would create a folder of that name. */
export function isBucketUrl(to: string): boolean {
  return /^[a-z0-9]+:\/\//i.test(to);
}
