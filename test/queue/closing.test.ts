import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openQueues, type Queues, startWorkers } from '../../src/crawl/queue/open-queues.ts';
import { createRedisStore } from '../../src/crawl/queue/store.ts';
import { isRedisInstalled, type RedisServer, startRedis } from '../support/redis-server.ts';

/** What becomes of a job whose server goes away while it runs, when its worker is closed. */
async function closing(
  run: (redis: RedisServer, enqueue: (id: number) => Promise<unknown>, isClosing: Promise<void>) => Promise<unknown>,
) {
  const redis = await startRedis();
  const store = await createRedisStore(redis.url, { warn() {} }, 'test');
  const queues: Queues<object> = openQueues<object>(store);
  const seen = { begun: 0, ended: 0 };
  let close = () => {};
  const isClosing = new Promise<void>((resolve) => {
    close = resolve;
  });
  const job = {
    name: 'work',
    isConcurrent: false,
    data: z.object({ id: z.int() }),
    key: ({ id }: { id: number }) => `work-${id}`,
    async run() {
      seen.begun++;
      await run(redis, (id) => queues.enqueue(job, { id }), isClosing);
      seen.ended++;
    },
  };
  const workers = startWorkers<object>(store, [job], {}, { concurrency: 1, onBug: () => undefined });
  try {
    await queues.enqueue(job, { id: 1 });
    await expect.poll(() => seen.begun, { timeout: 50_000 }).toBe(1);
    const closed = workers.close(2_000);
    close();
    await closed;
    return seen;
  } finally {
    await redis.stop();
    await store.close();
  }
}

// Each mostly waits.
describe.skipIf(!isRedisInstalled).concurrent('workers whose server is gone', () => {
  test('workers whose server no longer answers are abandoned once their jobs have ended', async () => {
    const seen = await closing(async (redis, _, isClosing) => {
      process.kill(redis.pid, 'SIGSTOP');
      await isClosing;
    });
    expect(seen).toEqual({ begun: 1, ended: 1 });
  });

  test('a job that hands its work to an unavailable server still ends with the process', async () => {
    const seen = await closing(async (redis, enqueue) => {
      await redis.stop();
      for (const id of [2, 3, 4]) await enqueue(id);
    });
    expect(seen).toEqual({ begun: 1, ended: 0 });
  });
});
