import { expect, test } from 'vitest';
import { z } from 'zod';
import { openQueues, startWorkers } from '../../src/crawl/queue/open-queues.ts';
import { createRedisStore } from '../../src/crawl/queue/store.ts';
import { isRedisInstalled, startRedis } from '../support/redis-server.ts';

test.skipIf(!isRedisInstalled)(
  'workers whose server no longer answers are abandoned once their jobs have ended',
  async () => {
    const redis = await startRedis();
    const store = await createRedisStore(redis.url, { warn() {} });
    const seen = { begun: 0, ended: 0 };
    const job = {
      name: 'slow',
      isConcurrent: false,
      payload: z.object({ id: z.int() }),
      key: ({ id }: { id: number }) => `slow-${id}`,
      async run() {
        seen.begun++;
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        seen.ended++;
      },
    };
    const workers = startWorkers<object>(store, [job], {}, { concurrency: 1, onBug: () => undefined });
    try {
      await openQueues<object>(store).enqueue(job, { id: 1 });
      await expect.poll(() => seen.begun, { timeout: 50_000 }).toBe(1);
      process.kill(redis.pid, 'SIGSTOP');
      await workers.close(2_000);
      expect(seen).toEqual({ begun: 1, ended: 1 });
    } finally {
      process.kill(redis.pid, 'SIGCONT');
      await store.close();
      await redis.stop();
    }
  },
);

test.skipIf(!isRedisInstalled)(
  'a job that hands its work to an unavailable server still ends with the process',
  async () => {
    const redis = await startRedis();
    const store = await createRedisStore(redis.url, { warn() {} });
    const queues = openQueues<object>(store);
    const seen = { begun: 0, ended: 0 };
    const job = {
      name: 'handing-on',
      isConcurrent: false,
      payload: z.object({ id: z.int() }),
      key: ({ id }: { id: number }) => `handing-on-${id}`,
      async run({ id }: { id: number }) {
        seen.begun++;
        await redis.stop();
        for (const next of [1, 2, 3]) await queues.enqueue(job, { id: id + next });
        seen.ended++;
      },
    };
    const workers = startWorkers<object>(store, [job], {}, { concurrency: 1, onBug: () => undefined });
    try {
      await queues.enqueue(job, { id: 1 });
      await expect.poll(() => seen.begun, { timeout: 50_000 }).toBe(1);
      await workers.close(2_000);
      expect(seen).toEqual({ begun: 1, ended: 0 });
    } finally {
      await store.close();
      await redis.stop();
    }
  },
);
