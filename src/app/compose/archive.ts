import { join } from 'node:path';
import { bucketLimits, openBucket } from '../../base/bucket.ts';
import { HomeUnusable } from '../../base/errors.ts';
import { noArchive } from '../../crawl/archive/archive.ts';
import { createPackBucket } from '../../crawl/archive/pack-bucket.ts';
import { createPackFolder } from '../../crawl/archive/pack-folder.ts';
import type { Packs } from '../../crawl/archive/packs.ts';
import { createArchive } from '../../crawl/archive/payload-archive.ts';
import { pruneArchive } from '../../crawl/archive/prune.ts';
import type { CrawlContext } from '../../crawl/context.ts';
import { readBookId } from '../../crawl/world.ts';
import type { Database } from '../../db/client.ts';
import { forgetWithNightBefore } from '../../followers/derive/derive-nights.ts';
import { findBreakingDrift } from '../../followers/drift/drift.ts';
import type { ReplayNeeds } from '../../publish/replay/replay.ts';
import { endpointsOf } from '../../source/endpoints/index.ts';
import type { Config } from '../config.ts';
import type { Closer } from './closers.ts';
import type { Base } from './data.ts';
import { type CrawlerOptions, settingsOf } from './settings.ts';

type Stored = Pick<Base, 'config' | 'db'>;

/** Archive for new payloads, or no archive if it is off. Throws before any request is sent if it cannot be written. */
export async function openArchive({ config, db }: Stored, closers: Closer[]): Promise<typeof noArchive> {
  if (config.archive === 'off') return noArchive;
  const packs = packsOf(config, db);
  await packs.check().catch((error: unknown) => {
    throw HomeUnusable.of(config.home, error) ?? error;
  });
  const archive = createArchive({ packs, db });
  closers.push(() => archive.close());
  return archive;
}

/** Components of a replay: the existing archive, even if archiving is off now; no gateway and no queues. */
export function composeReplay(
  { config, clock, db }: Pick<Base, 'config' | 'clock' | 'db'>,
  options: Pick<CrawlerOptions, 'endpointsOf'> = {},
): ReplayNeeds {
  const archive = archiveAsFound({ config, db });
  return {
    db,
    clock,
    archive,
    endpointsOf: options.endpointsOf ?? endpointsOf,
    extraFields: config.extraFields,
    settings: settingsOf(config),
    forgetFollowing: forgetWithNightBefore,
  };
}

/** Checks the first pages of a night in the archive, even if archiving is off now. */
export function composeFirstLook(
  { config, db }: Stored,
  options: Pick<CrawlerOptions, 'endpointsOf'> = {},
): CrawlContext['findBreakingDrift'] {
  const archive = archiveAsFound({ config, db });
  const known = options.endpointsOf ?? endpointsOf;
  return (run) => findBreakingDrift({ db, archive }, run, known[run.region].categoryPage);
}

export const archiveAsFound = ({ config, db }: Stored) => createArchive({ packs: packsOf(config, db), db });

/** Folder or bucket of the archive; no other place decides this. Without a database only `check` may be used. */
export function packsOf(config: Config, db: Database | null, limits = bucketLimits): Packs {
  const { archive, bucketAccess } = config;
  if (!isArchiveInBucket(config)) return createPackFolder(archiveOf(config));
  return createPackBucket(openBucket(archive, bucketAccess, limits), async () => db && readBookId(db));
}

export const isArchiveInBucket = ({ archive }: Config): boolean => archive.startsWith('s3://');

/** Folder of the archive. */
export const archiveOf = ({ home }: Config): string => join(home, 'archive');

/** Deletes archived payloads, pages and details older than a number of days. */
export const composePruning = ({ config, clock, db }: Pick<Base, 'config' | 'clock' | 'db'>, days: number) =>
  pruneArchive({ packs: packsOf(config, db), db }, clock.now(), days);
