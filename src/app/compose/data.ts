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

/** What every command stands on: the database, migrated, and the ledgers. */
export interface Base {
  /** With the folder of the book that is open as `home`. */
  readonly config: Config;
  /** The command it was opened for. */
  readonly command: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Hears what is asked and done, for those that watch. */
  readonly measure: Measure;
  readonly db: Database;
  readonly databaseUrl: string;
  readonly runs: Runs;
  readonly pages: Pages;
  readonly details: Details;
  /** Closes what was opened, last first. */
  close(): Promise<void>;
}

/** The database as it is found, whatever its schema. */
export interface OpenDatabase {
  /** With the folder of the book that was opened as `home`. */
  readonly config: Config;
  readonly db: Database;
  readonly databaseUrl: string;
  close(): Promise<void>;
}

/** Opens the database, the configured one or the embedded server, and leaves it as it is. */
export async function openDatabase(given: Config, { log, name }: { log: Log; name: string }): Promise<OpenDatabase> {
  const closers: Closer[] = [];
  const config = atBook(given, log);
  const databaseUrl = config.databaseUrl?.reveal() ?? (await openEmbeddedDatabase(config, log, closers));
  const db = createDatabase({ url: databaseUrl, applicationName: `pricebook ${name}`, max: 12, log });
  closers.push(() => db.end());
  return { config, db, databaseUrl, close: () => unwind(closers) };
}

/** Opens the database and brings its schema to what this program knows. */
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
