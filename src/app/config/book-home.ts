import { join } from 'node:path';
import type { Log } from '../../base/log.ts';
import { findPlaceFolder } from '../../db/embedded/place.ts';
import type { Config } from '../config.ts';

/** Where the simulated book lives, below PRICEBOOK_HOME. */
export const demoFolder = 'demo';

/**
 * The configuration with the folder of its book as `home`: on the embedded server the simulated book has a folder of
 * its own, so that adding a key opens the real one.
 */
export function atBook(config: Config, log: Log): Config {
  const { databaseUrl, upstream, home } = config;
  if (databaseUrl || upstream === 'gateway') return config;
  const demo = join(home, demoFolder);
  if (findPlaceFolder(demo) === null && findPlaceFolder(home) !== null)
    log.warn(
      { folder: home },
      'no gateway is configured: this is the demo book; the book in that folder opens with its key',
    );
  return { ...config, home: demo };
}
