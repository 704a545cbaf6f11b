import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { HomeUnusable } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { type Archive, noArchive } from '../../crawl/archive/archive.ts';
import { createFileArchive } from '../../crawl/archive/file-archive.ts';
import { type Pruned, pruneArchive } from '../../crawl/archive/prune.ts';
import type { CrawlContext } from '../../crawl/context.ts';
import { createPackIndex } from '../../crawl/ledger/forget-payloads.ts';
import { createPayloadIndex } from '../../crawl/ledger/payloads.ts';
import { forgetWithNightBefore } from '../../followers/derive/derive-nights.ts';
import { findBreakingDrift } from '../../followers/drift/breaking-drift.ts';
import { forgetWithExtraNights } from '../../followers/extra/forget.ts';
import type { ReplayNeeds } from '../../publish/replay/replay-archive.ts';
import { restageIfBaseMoved } from '../../publish/replay/restage-if-base-moved.ts';
import { endpointsOf } from '../../source/endpoints/index.ts';
import type { Config } from '../config.ts';
import type { Closer } from './closers.ts';
import type { Base } from './data.ts';
import { type CrawlerOptions, settingsOf } from './settings.ts';

type Stored = Pick<Base, 'config' | 'db'>;

/** Archive for new payloads, or no archive if it is off. Throws `HomeUnusable` before any request is sent. */
export async function openArchive({ config, db }: Stored, closers: Closer[]): Promise<Archive> {
  const archive = config.archive === 'off' ? noArchive : await openFolder({ config, db });
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
    settings: settingsOf(config),
    forgetFollowing: config.extraFields.length > 0 ? forgetWithExtraNights : forgetWithNightBefore,
  };
}

/** Stages a run again from the archive if the catalogue has changed since it was staged. */
export function composeStaging(
  { config, db, runs }: Pick<Base, 'config' | 'db' | 'runs'>,
  options: Pick<CrawlerOptions, 'endpointsOf'> = {},
): CrawlContext['restageIfBaseMoved'] {
  const archive = archiveAsFound({ config, db });
  const needs = { db, runs, archive, endpointsOf: options.endpointsOf ?? endpointsOf };
  return (run, signal) => restageIfBaseMoved(needs, run, signal);
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

async function openFolder({ config, db }: Stored): Promise<Archive> {
  try {
    makeFolder(archiveOf(config));
    await access(archiveOf(config), constants.W_OK);
  } catch (error) {
    throw HomeUnusable.of(config.home, error) ?? error;
  }
  return createFileArchive({ root: archiveOf(config), index: createPayloadIndex(db), keepDays: config.archiveDays });
}

export const archiveAsFound = ({ config, db }: Stored) =>
  createFileArchive({ root: archiveOf(config), index: createPayloadIndex(db) });

/** Folder of the archive. */
export const archiveOf = ({ home }: Config): string => join(home, 'archive');

/** Deletes archived payloads, pages and details older than a number of days. */
export function composePruning({ config, clock, db }: Pick<Base, 'config' | 'clock' | 'db'>) {
  return (days: number): Promise<Pruned> =>
    pruneArchive({ root: archiveOf(config), index: createPackIndex(db) }, clock.now(), days);
}
