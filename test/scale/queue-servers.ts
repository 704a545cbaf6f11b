import { Redis } from 'ioredis';
import pg from 'pg';
import { startRedisCluster } from '../support/redis-cluster.ts';
import { startRedis } from '../support/redis-server.ts';

export const queueKinds = ['redis', 'cluster', 'postgres'] as const;
export type QueueKind = (typeof queueKinds)[number];

/** Where the jobs of one installation are, fresh. */
export interface QueueServer {
  readonly env: Readonly<Record<string, string>>;
  /** Of the Redis servers. */
  readonly pids: readonly number[];
  /** Jobs that were done so far. */
  jobsDone(): Promise<number>;
  stop(): Promise<void>;
}

export async function startQueue(kind: QueueKind, databaseUrl: string): Promise<QueueServer> {
  if (kind === 'postgres') {
    return {
      env: {},
      pids: [],
      jobsDone: () => completedInPostgres(databaseUrl),
      stop: async () => undefined,
    };
  }
  if (kind === 'redis') {
    const { url, pid, stop } = await startRedis();
    return { env: { REDIS_URL: url }, pids: [pid], jobsDone: () => completedInRedis([url]), stop };
  }
  const { urls, pids, stop } = await startRedisCluster();
  return { env: { REDIS_URL: urls.join(',') }, pids, jobsDone: () => completedInRedis(urls), stop };
}

/** BullMQ keeps the last ten thousand events of each queue, several times those of a night. */
async function completedInRedis(urls: readonly string[]): Promise<number> {
  let done = 0;
  for (const url of urls) {
    const client = new Redis(url);
    for (const key of await client.keys('*:events')) {
      const events = await client.xrange(key, '-', '+');
      done += events.filter(([, fields]) => fields.includes('completed')).length;
    }
    client.disconnect();
  }
  return done;
}

async function completedInPostgres(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(`select count(*)::int as done from bullmq.event where event = 'completed'`);
    return rows[0].done;
  } finally {
    await client.end();
  }
}
