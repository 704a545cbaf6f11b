import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';
import { ServerUnable, ServerUnreachable } from '../../base/errors.ts';
import type { LimitedErrors } from '../../base/limited-lines.ts';

/** Longest wait for the nodes of a cluster at the start. */
const clusterReadyMs = 15_000;
const retryStrategy = (attempt: number) => Math.min(attempt * 100, 2_000);

/**
 * Connects to the server of REDIS_URL; if it belongs to a Redis Cluster, to all its nodes. Throws `ServerUnreachable`
 * if it does not answer.
 */
export async function openRedis(url: string, errors: LimitedErrors): Promise<Redis | Cluster> {
  const single = new Redis(url, {
    maxRetriesPerRequest: null,
    lazyConnect: true,
    // After a failover the name of the server may lead to another one.
    reconnectOnError: ({ message }) => message.includes('READONLY'),
    retryStrategy,
  });
  await connected(single, errors, single.connect());
  const state = await single.info('cluster').catch(() => '');
  if (!/^cluster_enabled:1\s*$/m.test(state)) return single;
  single.disconnect();
  const cluster = new Cluster([url], clusterOptions(single));
  const late = sleep(clusterReadyMs, undefined, { ref: false }).then(() => Promise.reject(new Error('no answer')));
  await connected(cluster, errors, Promise.race([once(cluster, 'ready'), late]));
  return cluster;
}

/** The other nodes have the user, the password and the encryption of the one in the URL. */
function clusterOptions({ options: { username, password, tls } }: Redis) {
  return {
    redisOptions: {
      maxRetriesPerRequest: null,
      ...(username && { username }),
      ...(password && { password }),
      ...(tls && { tls }),
    },
    // Certificates hold for names, not for the addresses that they lead to.
    ...(tls && { dnsLookup: (address: string, found: (error: null, address: string) => void) => found(null, address) }),
    clusterRetryStrategy: retryStrategy,
    // Outlasts the failover of a node.
    retryDelayOnClusterDown: 1_000,
  };
}

async function connected(
  connection: Redis | Cluster,
  errors: LimitedErrors,
  connecting: Promise<unknown>,
): Promise<void> {
  let lastError: Error | null = null;
  connection.on('error', (error: Error) => {
    lastError = error;
    errors.met(error, 'redis connection failed');
  });
  try {
    await connecting;
  } catch (error) {
    connection.disconnect();
    // The client itself only says that its connection is closed.
    throw new ServerUnreachable('Redis', 'REDIS_URL', { cause: lastError ?? error });
  }
}

/** Throws what Redis answered as `ServerUnable`, anything else as it is. */
export function asRedisError(error: unknown): never {
  // The statements are BullMQ's and always the same: a server that refuses them cannot serve now.
  if (!(error instanceof Error && error.name === 'ReplyError')) throw error;
  throw new ServerUnable('Redis', error.message, 'Look at its state, its limits and the rights in REDIS_URL', error);
}

/** Deletes all keys with this prefix. */
export async function forget(connection: Redis | Cluster, prefix: string): Promise<void> {
  const match = `${prefix.replace(/[{}[\]*?\\]/g, '\\$&')}*`;
  const nodes = connection instanceof Cluster ? connection.nodes('master') : [connection];
  for (const node of nodes) {
    for await (const keys of node.scanStream({ match, count: 1_000 })) {
      if ((keys as string[]).length > 0) await node.unlink(keys as string[]);
    }
  }
}
