import pg from 'pg';
import type { Log } from '../../base/log.ts';
import type { CrawlContext } from '../../crawl/context.ts';
import { openQueues, type Queues } from '../../crawl/queue/open-queues.ts';
import { queueConnections, queueSession } from '../../crawl/queue/postgres.ts';
import { createPostgresStore, createRedisStore, type QueueStore } from '../../crawl/queue/store.ts';
import { createDatabase } from '../../db/client.ts';
import type { DbLog } from '../../db/db-log.ts';
import type { Config } from '../config.ts';
import type { Closer } from './closers.ts';
import type { Base } from './data.ts';

/** Queues shared by all processes of a database. */
export async function composeQueues(
  { config, databaseUrl, log }: Pick<Base, 'config' | 'databaseUrl' | 'log'>,
  closers: Closer[],
): Promise<{ readonly store: QueueStore; readonly queues: Queues<CrawlContext> }> {
  const store = await openStore(config, databaseUrl, log);
  closers.push(() => store.close());
  return { store, queues: openQueues<CrawlContext>(store) };
}

/**
 * Queue server: Redis if configured, where the name of the database separates those that share a server; otherwise the
 * database.
 */
export async function openStore(config: Config, databaseUrl: string, log: Log): Promise<QueueStore> {
  if (!config.redisUrl) return openPostgresStore(databaseUrl, log);
  // The client knows the defaults of a URL without a name.
  const databaseName = new pg.Client({ connectionString: databaseUrl }).database ?? '';
  return createRedisStore(config.redisUrl.reveal(), log, databaseName);
}

/** Queues in a schema of the database at `url`. */
export function openPostgresStore(url: string, log: Pick<DbLog, 'warn'>): Promise<QueueStore> {
  const database = createDatabase({
    url,
    applicationName: 'pricebook queue',
    max: queueConnections,
    session: queueSession,
  });
  return createPostgresStore(database, log);
}
