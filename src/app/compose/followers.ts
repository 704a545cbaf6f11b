import { createBucket } from '../../followers/export/bucket.ts';
import { createExporter, type Exporter } from '../../followers/export/exporter.ts';
import { createFolder } from '../../followers/export/folder.ts';
import { createFollowers, type Followers } from '../../followers/followers.ts';
import { createAsker } from '../ask-saved-question.ts';
import { isUrl } from '../config/variable-types.ts';
import { archiveAsFound } from './archive.ts';
import type { Base } from './data.ts';

/** Days for which replaced files of an export stay for readers that have begun to read them. */
const keepDays = 7;

type Needs = Pick<Base, 'config' | 'clock' | 'log' | 'db'>;

/** Followers of nights, with the existing archive even if archiving is off now. */
export function composeFollowers(base: Needs): Followers {
  const { config, clock, log, db } = base;
  const exporter = composeExporter(base, config.exportTo);
  const ask = config.alerts === null ? null : createAsker(db);
  const archive = archiveAsFound(base);
  return createFollowers({ db, clock, log, archive, exporter, ask });
}

/** Writes nights as files to a folder or bucket; null: no destination. */
export function composeExporter({ config, clock, log, db }: Needs, to: string | null): Exporter | null {
  if (to === null) return null;
  const destination = isUrl(to) ? createBucket(to, config.bucketAccess) : createFolder(to);
  return createExporter({ db, clock, log, home: config.home, keepDays, destination });
}
