import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { type Measure, measureNothing } from '../../base/metrics/measure.ts';
import { createRuns } from '../../crawl/run/runs.ts';
import { createDatabase } from '../../db/client.ts';
import { openEmbedded } from '../../db/embedded/open-embedded.ts';
import { findPlaceFolder } from '../../db/embedded/place.ts';
import { migrate } from '../../db/migrate.ts';
import type { Config } from '../config.ts';
import { type Closer, unwind } from './closers.ts';
import { refuseUnusable } from './usable-database.ts';

/** Components of every command: the migrated database and its runs. */
export type Base = Awaited<ReturnType<typeof compose>>;

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

/**
 * Opens the configured database or the embedded server without migrating it. The `home` of the returned configuration
 * is the folder of the open database. Throws if the program cannot work in it.
 */
export async function openDatabase(given: Config, { log, name }: { log: Log; name: string }) {
  const closers: Closer[] = [];
  const config = atBook(given, log);
  const embedded = config.databaseUrl === null ? await openEmbedded({ home: config.home, log }) : null;
  if (embedded) closers.push(() => embedded.close());
  const databaseUrl = config.databaseUrl?.reveal() ?? embedded!.url;
  const db = createDatabase({ url: databaseUrl, applicationName: `pricebook ${name}`, max: 12, log });
  closers.push(() => db.end());
  const close = () => unwind(closers);
  await refuseUnusable(db, log).catch((error) => close().then(() => Promise.reject(error)));
  return { config, db, databaseUrl, close };
}

/** Opens the database and migrates its schema. */
export async function compose(
  given: Config,
  { clock, log, name, measure = measureNothing }: { clock: Clock; log: Log; name: string; measure?: Measure },
) {
  const { config, db, databaseUrl, close } = await openDatabase(given, { log, name });
  try {
    await migrate(db, { log });
    // `measure` records metrics of requests and jobs.
    return { config, command: name, clock, log, measure, db, databaseUrl, runs: createRuns(db), close };
  } catch (error) {
    await close();
    throw error;
  }
}
