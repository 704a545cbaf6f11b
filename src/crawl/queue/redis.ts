import { Cluster, Redis } from 'ioredis';
import { ConfigInvalid, ServerUnable, ServerUnreachable } from '../../base/errors.ts';
import { isNetworkCode } from '../../base/network-error.ts';
import type { Outage } from '../../base/outage.ts';

/** A connection to a single Redis server or to a Redis Cluster. */
interface OpenRedis {
  readonly connection: Redis | Cluster;
  readonly isCluster: boolean;
  /** Deletes all keys with this prefix, on all nodes. */
  forget(beginning: string): Promise<void>;
}

const failed = 'redis connection failed';
const connectionOptions = { maxRetriesPerRequest: null, lazyConnect: true, reconnectOnError: isToReconnect } as const;
const restMs = (attempt: number) => Math.min(attempt * 100, 2_000);

/**
 * Connects to the servers of REDIS_URL, separated by commas; the first that answers shows whether they are a cluster.
 * Throws `ServerUnreachable` if none answers, and `ConfigInvalid` if a server may evict jobs, lacks the database in its
 * URL, or if several servers are not a cluster.
 */
export async function openRedis(urls: string, outage: Outage): Promise<OpenRedis> {
  const nodes = urls.split(',').map((url) => url.trim());
  const first = await firstThatAnswers(nodes, outage);
  if (!(await isClusterNode(first))) {
    if (nodes.length > 1) {
      first.disconnect();
      throw new ConfigInvalid(['REDIS_URL: lists several servers, but they are no Redis Cluster; give only one']);
    }
    return { connection: await refuseEviction(first), isCluster: false, forget: (begin) => forget(first, begin) };
  }
  first.disconnect();
  const cluster = await openCluster(nodes, outage);
  return {
    connection: cluster,
    isCluster: true,
    async forget(begin) {
      for (const node of cluster.nodes('master')) await forget(node, begin);
    },
  };
}

/** Messages of ioredis, without a system code, for a connection that was lost or cannot be made. */
const words = /^(Connection is closed|None of startup nodes is available|Failed to refresh slots cache)/;

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

async function firstThatAnswers(nodes: readonly string[], outage: Outage): Promise<Redis> {
  let failure: unknown = null;
  for (const url of nodes) {
    const connection = new Redis(url, { ...connectionOptions, retryStrategy: restMs });
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
      failure = lastError ?? error;
      continue;
    }
    return refuseNumber(connection);
  }
  throw new ServerUnreachable('Redis', 'REDIS_URL', { cause: failure });
}

/** Nodes discover each other; user, password and TLS of the first URL apply to all. */
async function openCluster(nodes: readonly string[], outage: Outage): Promise<Cluster> {
  const { username, password, protocol } = new URL(nodes[0]!);
  const cluster = new Cluster([...nodes], {
    lazyConnect: true,
    clusterRetryStrategy: restMs,
    // Enough to bridge the promotion of a replica.
    maxRedirections: 64,
    redisOptions: {
      maxRetriesPerRequest: null,
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' ? { tls: {} } : {}),
    },
  });
  cluster.on('error', (error: Error) => outage.met(error, failed));
  cluster.on('ready', outage.ended);
  try {
    await cluster.connect();
    for (const node of cluster.nodes('master')) await refuseEviction(node);
    return cluster;
  } catch (cause) {
    cluster.disconnect();
    if (cause instanceof ConfigInvalid) throw cause;
    throw new ServerUnreachable('Redis', 'REDIS_URL', { cause });
  }
}

/** Whether the server is a cluster node; false if it does not report its state. */
async function isClusterNode(connection: Redis): Promise<boolean> {
  const state = await connection.info('cluster').catch(() => '');
  return /^cluster_enabled:1\s*$/m.test(state);
}

/**
 * Refuses a database number that the server lacks: its client would warn and use database 0, which may hold the jobs of
 * another installation.
 */
async function refuseNumber(connection: Redis): Promise<Redis> {
  const { db = 0 } = connection.options;
  try {
    if (db !== 0) await connection.select(db);
    return connection;
  } catch (cause) {
    connection.disconnect();
    const { message } = cause as Error;
    if (!/DB index is out of range/.test(message)) throw new ServerUnreachable('Redis', 'REDIS_URL', { cause });
    throw new ConfigInvalid([
      `REDIS_URL: the server has no database ${db} (${message}); give another number, or none for 0`,
    ]);
  }
}

async function refuseEviction(connection: Redis): Promise<Redis> {
  const [, policy] = (await connection.config('GET', 'maxmemory-policy').catch(() => [])) as string[];
  if (policy === undefined || policy === 'noeviction') return connection;
  connection.disconnect();
  throw new ConfigInvalid([
    `REDIS_URL: the server's maxmemory-policy is ${policy}, which deletes jobs when memory is short; ` +
      'set it to noeviction',
  ]);
}

/** Deletes keys one by one, because keys of several queues are in different slots and must not share a command. */
async function forget(connection: Redis, beginning: string): Promise<void> {
  const match = `${beginning.replace(/[{}[\]*?\\]/g, '\\$&')}*`;
  for await (const keys of connection.scanStream({ match, count: 1_000 })) {
    await Promise.all((keys as string[]).map((key) => connection.unlink(key)));
  }
}
