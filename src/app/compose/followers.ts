import { createFollowers, type Followers } from '../../followers/followers.ts';
import { archiveAsFound } from './archive.ts';
import type { Base } from './data.ts';
import { composeExporter } from './export.ts';

/** What follows nights, with the archive as it is found, whether or not it is written now. */
export function composeFollowers(base: Pick<Base, 'config' | 'clock' | 'log' | 'db'>): Followers {
  const { config, clock, log, db } = base;
  return createFollowers({
    db,
    clock,
    log,
    archive: archiveAsFound(base),
    exporter: composeExporter(base, config.exportTo),
  });
}
