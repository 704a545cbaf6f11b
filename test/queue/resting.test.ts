import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openPostgresStore } from '../../src/app/compose/queue.ts';
import { openQueues, startWorkers } from '../../src/crawl/queue/open-queues.ts';
import { createRedisStore, type QueueStore } from '../../src/crawl/queue/store.ts';
import { useDatabase } from '../support/database.ts';
import { isRedisInstalled, startRedis } from '../support/redis-server.ts';

const database = useDatabase();
const silent = { warn() {} };

interface Context {
  done(): void;
}

const job = {
  name: 'asking',
  isConcurrent: true,
  payload: z.object({ id: z.int() }),
  key: ({ id }: { id: number }) => `asking-${id}`,
  run: async (_: unknown, { done }: Context) => done(),
};

async function expectOthersToWork(open: () => Promise<QueueStore>): Promise<void> {
  const stores = [await open(), await open()] as const;
  const done = { resting: 0, working: 0 };
  const start = (store: QueueStore, name: keyof typeof done) =>
    startWorkers<Context>(
      store,
      [job],
      { done: () => (done[name] += 1) },
      { concurrency: 4, onBug: (_, error) => expect.fail(String(error)) },
    );
  const resting = start(stores[0], 'resting');
  const working = start(stores[1], 'working');
  const queues = openQueues<Context>(stores[1]);
  const enqueue = async (from: number) => {
    for (let id = from; id < from + 40; id++) await queues.enqueue(job, { id });
  };
  try {
    resting.takeNone([job], 3_000);
    await enqueue(0);
    await expect.poll(() => done, { timeout: 20_000 }).toEqual({ resting: 0, working: 40 });
    await working.close(1_000);
    await enqueue(40);
    await expect.poll(() => done, { timeout: 20_000 }).toEqual({ resting: 40, working: 40 });
  } finally {
    await Promise.all([resting.close(1_000), working.close(1_000)]);
    for (const store of stores) await store.close();
  }
}

describe('a worker that takes no jobs for a while', () => {
  test('on PostgreSQL a paused worker leaves jobs to others for that time', async () => {
    const { url } = database;
    await expectOthersToWork(() => openPostgresStore(url, silent));
  });

  test.skipIf(!isRedisInstalled)('on Redis a paused worker leaves jobs to others for that time', async () => {
    const redis = await startRedis();
    try {
      await expectOthersToWork(() => createRedisStore(redis.url, silent));
    } finally {
      await redis.stop();
    }
  });
});
