import { createFollowers, type Followers } from '../../followers/followers.ts';
import { archiveAsFound } from './archive.ts';
import type { Base } from './data.ts';
import { composeExporter } from './export.ts';

/** Followers of nights, with the existing archive even if archiving is off now. */
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
