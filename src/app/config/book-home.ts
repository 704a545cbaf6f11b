import { join } from 'node:path';
import type { Log } from '../../base/log.ts';
import { findPlaceFolder } from '../../db/embedded/place.ts';
import type { Config } from '../config.ts';

/** Folder of the demo database below PRICEBOOK_HOME. */
export const demoFolder = 'demo';

/**
 * Configuration with the database's folder as `home`. With the embedded server, the simulator uses a separate folder,
 * so that adding a key opens the real database.
 */
export function atBook(config: Config, log: Log): Config {
  const { databaseUrl, upstream, home } = config;
  if (databaseUrl || upstream === 'gateway') return config;
  const demo = join(home, demoFolder);
  if (findPlaceFolder(demo) === null && findPlaceFolder(home) !== null)
    log.warn(
      { folder: home },
      'no gateway is configured: using the demo database; set the key to open the database in that folder',
    );
  return { ...config, home: demo };
}
