import type { Log } from '../../base/log.ts';
import type { CrawlContext } from '../../crawl/context.ts';
import { readMoves } from '../../crawl/ledger/listing-moves.ts';
import { identityInWords } from '../../crawl/ledger/ownership.ts';
import { openQueues, type Queues } from '../../crawl/queue/open-queues.ts';
import { queueConnections, queueSession } from '../../crawl/queue/postgres.ts';
import { scopedStore } from '../../crawl/queue/scoped-store.ts';
import { createPostgresStore, createRedisStore, type QueueStore } from '../../crawl/queue/store.ts';
import { createDatabase, type Queryable } from '../../db/client.ts';
import { asServerError, isConnectionError, isTransient } from '../../db/connection-error.ts';
import type { DbLog } from '../../db/db-log.ts';
import { rowsOf } from '../../db/rows.ts';
import type { Config } from '../config.ts';
import type { Closer } from './closers.ts';
import type { Base } from './data.ts';
import { worldAsBegun } from './world.ts';

/** Queues shared by all processes with the same upstream, clock and database. */
export async function composeQueues(
  { config, databaseUrl, log, db }: Pick<Base, 'config' | 'databaseUrl' | 'log' | 'db'>,
  identity: string,
  closers: Closer[],
): Promise<{ readonly store: QueueStore; readonly queues: Queues<CrawlContext> }> {
  const scope = await scopeOf(db, identity);
  const store = scopedStore(await openStore(config, databaseUrl, log), scope);
  closers.push(() => store.close());
  return { store, queues: openQueues<CrawlContext>(store) };
}

/** Read access to the queues of this installation's workers. */
export async function openStoreToLook(
  base: Pick<Base, 'config' | 'databaseUrl' | 'log' | 'db' | 'clock'>,
): Promise<QueueStore> {
  const { config, databaseUrl, log, db, clock } = base;
  const scope = await scopeOf(db, identityInWords({ world: await worldAsBegun(base), clock }, await readMoves(db)));
  return scopedStore(await openStore(config, databaseUrl, log), scope);
}

/**
 * Scopes queues by database: copies of a database, or other databases on the same Redis, have runs with the same
 * numbers.
 */
async function scopeOf(db: Queryable, identity: string): Promise<string> {
  const [row] = await rowsOf<{ database: string }>(db, 'select current_database() as database');
  return `${identity}, ${row!.database}`;
}

/** Queue server: Redis if configured, otherwise the database. */
export async function openStore(config: Config, databaseUrl: string, log: Log): Promise<QueueStore> {
  if (config.redisUrl) return createRedisStore(config.redisUrl.reveal(), log);
  return openPostgresStore(databaseUrl, log);
}

/** Queues in a schema of the database at `url`. */
export function openPostgresStore(url: string, log: Pick<DbLog, 'warn'>): Promise<QueueStore> {
  const database = createDatabase({
    url,
    applicationName: 'pricebook queue',
    max: queueConnections,
    session: queueSession,
  });
  return createPostgresStore(database, log, { isConnectionError, isTransient, asServerError });
}
