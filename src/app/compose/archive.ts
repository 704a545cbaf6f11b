import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { HomeUnusable } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { type Archive, noArchive } from '../../crawl/archive/archive.ts';
import { createFileArchive } from '../../crawl/archive/file-archive.ts';
import type { CrawlContext } from '../../crawl/context.ts';
import { createPayloadIndex } from '../../crawl/ledger/payloads.ts';
import { forgetWithNightBefore } from '../../followers/derive/derive-nights.ts';
import { findBreakingDrift } from '../../followers/drift/breaking-drift.ts';
import type { ReplayNeeds } from '../../publish/replay/replay-archive.ts';
import { stagedOnBase } from '../../publish/replay/stage-again.ts';
import { endpointsOf } from '../../source/endpoints/index.ts';
import type { Config } from '../config.ts';
import type { Closer } from './closers.ts';
import type { Base } from './data.ts';
import { type CrawlerOptions, settingsOf } from './settings.ts';

type Stored = Pick<Base, 'config' | 'db'>;

/** Where crawling keeps payloads, if anywhere. Throws `HomeUnusable` before anything is asked. */
export async function openArchive({ config, db }: Stored, closers: Closer[]): Promise<Archive> {
  const archive = config.archive === 'off' ? noArchive : await openFolder({ config, db });
  closers.push(() => archive.close());
  return archive;
}

/** What replaying takes: the archive, whether or not it is written now, and no gateway and no queue. */
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
    forgetFollowing: forgetWithNightBefore,
  };
}

/** What stages a run again from the archive, where the catalogue has changed since it was staged. */
export function composeStaging(
  { config, db, runs }: Pick<Base, 'config' | 'db' | 'runs'>,
  options: Pick<CrawlerOptions, 'endpointsOf'> = {},
): CrawlContext['stagedOnBase'] {
  const archive = archiveAsFound({ config, db });
  const needs = { db, runs, archive, endpointsOf: options.endpointsOf ?? endpointsOf };
  return (run, signal) => stagedOnBase(needs, run, signal);
}

/** What looks at the first pages of a night in the archive, whether or not it is written now. */
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

/** The folder of the book that payloads are kept in. */
export const archiveOf = ({ home }: Config): string => join(home, 'archive');
