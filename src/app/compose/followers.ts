import { createBucket } from '../../followers/export/bucket.ts';
import { createExporter, type Exporter } from '../../followers/export/exporter.ts';
import { createFolder } from '../../followers/export/folder.ts';
import { createFollowers, type Followers } from '../../followers/followers.ts';
import { archiveAsFound } from './archive.ts';
import type { Base } from './data.ts';

type Needs = Pick<Base, 'config' | 'clock' | 'log' | 'db'>;

/** Followers of nights, with the existing archive even if archiving is off now. */
export function composeFollowers(base: Needs): Followers {
  const { config, clock, log, db } = base;
  const exporter = composeExporter(base, config.exportTo);
  const hasReceiver = config.alerts !== null;
  const archive = archiveAsFound(base);
  return createFollowers({ db, clock, log, archive, extraFields: config.extraFields, exporter, hasReceiver });
}

/** Writes nights as files to a folder or bucket; null: no destination. */
export function composeExporter({ config, clock, log, db }: Needs, to: string | null): Exporter | null {
  if (to === null) return null;
  const destination = isBucketUrl(to) ? createBucket(to, config.bucketAccess) : createFolder(to);
  return createExporter({ db, clock, log, home: config.home, keepDays: config.exportKeepDays, destination });
}

/** Any URL scheme counts, because a path with a scheme would create a folder of that name. */
export function isBucketUrl(to: string): boolean {
  return /^[a-z0-9]+:\/\//i.test(to);
}
