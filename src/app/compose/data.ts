import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { type Measure, measureNothing } from '../../base/metrics/measure.ts';
import { createDetails, type Details } from '../../crawl/ledger/details.ts';
import { createPages, type Pages } from '../../crawl/ledger/pages.ts';
import { createRuns, type Runs } from '../../crawl/ledger/runs.ts';
import { createDatabase, type Database } from '../../db/client.ts';
import { openEmbedded } from '../../db/embedded/open-embedded.ts';
import { migrate } from '../../db/migrate.ts';
import { atBook } from '../config/book-home.ts';
import type { Config } from '../config.ts';
import { type Closer, unwind } from './closers.ts';

/** Components of every command: the migrated database and the ledgers. */
export interface Base {
  /** `home` is the folder of the open database. */
  readonly config: Config;
  /** Name of the command. */
  readonly command: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Records metrics of requests and jobs. */
  readonly measure: Measure;
  readonly db: Database;
  readonly databaseUrl: string;
  readonly runs: Runs;
  readonly pages: Pages;
  readonly details: Details;
  /** Closes all resources, last opened first. */
  close(): Promise<void>;
}

/** The database without a check of its schema. */
export interface OpenDatabase {
  /** `home` is the folder of the open database. */
  readonly config: Config;
  readonly db: Database;
  readonly databaseUrl: string;
  close(): Promise<void>;
}

/** Opens the configured database or the embedded server without migrating it. */
export async function openDatabase(given: Config, { log, name }: { log: Log; name: string }): Promise<OpenDatabase> {
  const closers: Closer[] = [];
  const config = atBook(given, log);
  const databaseUrl = config.databaseUrl?.reveal() ?? (await openEmbeddedDatabase(config, log, closers));
  const db = createDatabase({ url: databaseUrl, applicationName: `pricebook ${name}`, max: 12, log });
  closers.push(() => db.end());
  return { config, db, databaseUrl, close: () => unwind(closers) };
}

/** Opens the database and migrates its schema. */
export async function compose(
  given: Config,
  { clock, log, name, measure = measureNothing }: { clock: Clock; log: Log; name: string; measure?: Measure },
): Promise<Base> {
  const { config, db, databaseUrl, close } = await openDatabase(given, { log, name });
  try {
    await migrate(db, { log });
    const ledgers = { runs: createRuns(db), pages: createPages(db), details: createDetails(db) };
    return { config, command: name, clock, log, measure, db, databaseUrl, ...ledgers, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openEmbeddedDatabase(config: Config, log: Log, closers: Closer[]): Promise<string> {
  const server = await openEmbedded({ home: config.home, log });
  closers.push(() => server.close());
  return server.url;
}
