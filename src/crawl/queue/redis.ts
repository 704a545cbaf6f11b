import { Redis } from 'ioredis';
import { ConfigInvalid, ServerUnable, ServerUnreachable } from '../../base/errors.ts';
import { isNetworkCode } from '../../base/network-error.ts';
import type { Outage } from '../../base/outage.ts';

const failed = 'redis connection failed';
const restMs = (attempt: number) => Math.min(attempt * 100, 2_000);

/**
 * Connects to the server of REDIS_URL. Throws `ServerUnreachable` if it does not answer, and `ConfigInvalid` if it may
 * evict jobs, lacks the database in its URL, or is a node of a cluster.
 */
export async function openRedis(url: string, outage: Outage): Promise<Redis> {
  const connection = new Redis(url, {
    maxRetriesPerRequest: null,
    lazyConnect: true,
    reconnectOnError: isToReconnect,
    retryStrategy: restMs,
  });
  let lastError: Error | null = null;
  connection.on('error', (error) => {
    lastError = error;
    // `refuseNumber` reports this error and ends the process.
    if (!/DB index is out of range/.test(error.message)) outage.met(error, failed);
  });
  connection.on('ready', outage.ended);
  try {
    await connection.connect();
  } catch (error) {
    connection.disconnect();
    // The client itself only says that its connection is closed.
    throw new ServerUnreachable('Redis', 'REDIS_URL', { cause: lastError ?? error });
  }
  try {
    await refuseNumber(connection);
    await refuseCluster(connection);
    await refuseEviction(connection);
    return connection;
  } catch (error) {
    connection.disconnect();
    throw error;
  }
}

/** Messages of ioredis, without a system code, for a connection that was lost or cannot be made. */
const words = /^Connection is closed/;

/** Whether the connection failed, as opposed to the command. */
export function isRedisConnectionError(error: Error): boolean {
  const { code = '' } = error as { code?: unknown };
  return isNetworkCode(String(code)) || words.test(error.message);
}

/**
 * Whether Redis answered with an error: it is a replica, has no memory, disk or rights for it, is loading, or changed
 * its password. The statements are BullMQ's and always the same, so whatever it says, it cannot serve now.
 */
export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError';
}

/** Throws what Redis answered as `ServerUnable`, anything else as it is. */
export function asRedisError(error: unknown): never {
  if (!isRefusal(error)) throw error;
  throw new ServerUnable('Redis', error.message, 'Look at its state, its limits and the rights in REDIS_URL', {
    cause: error,
  });
}

/** When a connection, by its options, was last replaced because its server is a replica. */
const replacedMs = new WeakMap<object, number>();
const replaceEveryMs = 1_000;

/**
 * After a failover the name of the server may lead to another one. Every command in flight reports the replica, but the
 * connection is replaced once.
 */
function isToReconnect(this: object, error: Error): boolean {
  const now = performance.now();
  const isRecent = now - (replacedMs.get(this) ?? Number.NEGATIVE_INFINITY) < replaceEveryMs;
  if (isRecent || !error.message.includes('READONLY')) return false;
  replacedMs.set(this, now);
  return true;
}

/**
 * Refuses a database number that the server lacks: its client would warn and use database 0, which may hold the jobs of
 * another installation.
 */
async function refuseNumber(connection: Redis): Promise<void> {
  const { db = 0 } = connection.options;
  try {
    if (db !== 0) await connection.select(db);
  } catch (cause) {
    const { message } = cause as Error;
    if (!/DB index is out of range/.test(message)) throw new ServerUnreachable('Redis', 'REDIS_URL', { cause });
    throw new ConfigInvalid([
      `REDIS_URL: the server has no database ${db} (${message}); give another number, or none for 0`,
    ]);
  }
}

/** A node of a cluster would redirect commands to others. */
async function refuseCluster(connection: Redis): Promise<void> {
  const state = await connection.info('cluster').catch(() => '');
  if (/^cluster_enabled:1\s*$/m.test(state))
    throw new ConfigInvalid(['REDIS_URL: the server belongs to a Redis Cluster; give a single server']);
}

async function refuseEviction(connection: Redis): Promise<void> {
  const [, policy] = (await connection.config('GET', 'maxmemory-policy').catch(() => [])) as string[];
  if (policy === undefined || policy === 'noeviction') return;
  throw new ConfigInvalid([
    `REDIS_URL: the server's maxmemory-policy is ${policy}, which deletes jobs when memory is short; ` +
      'set it to noeviction',
  ]);
}

/** Deletes all keys with this prefix. */
export async function forget(connection: Redis, beginning: string): Promise<void> {
  const match = `${beginning.replace(/[{}[\]*?\\]/g, '\\$&')}*`;
  for await (const keys of connection.scanStream({ match, count: 1_000 })) {
    if ((keys as string[]).length > 0) await connection.unlink(keys as string[]);
  }
}
