import { describe, expect, test } from 'vitest';
import { createRedisStore } from '../../src/crawl/queue/store.ts';
import { isRedisInstalled, type RedisServer, startRedis } from '../support/redis-server.ts';

describe.skipIf(!isRedisInstalled)('a Redis that refuses', () => {
  test('workers of a Redis that was a replica go on once it is none', async () => {
    const { redis, url } = await startWithUser();
    const store = await createRedisStore(url, { warn() {} }, 'test');
    const done: unknown[] = [];
    try {
      const worker = store.worker('one', 1, async (data) => void done.push(data));
      await redis.send('REPLICAOF', '127.0.0.1', '1');
      // What is refused now, the watchdog enqueues later.
      store
        .queue('one')
        .add('first', { n: 1 })
        .catch(() => undefined);
      await redis.send('REPLICAOF', 'NO', 'ONE');
      await store.queue('one').add('second', { n: 2 });
      await expect.poll(() => done, { timeout: 20_000 }).toContainEqual({ n: 2 });
      await worker.close();
    } finally {
      await store.close();
      await redis.stop();
    }
  });

  test('a job or an emptying of queues that a Redis refuses is an outage, not a fault', async () => {
    const { redis, url } = await startWithUser();
    const store = await createRedisStore(url, { warn() {} }, 'test');
    try {
      await redis.send('CONFIG', 'SET', 'maxmemory', '1');
      const unable = { name: 'ServerUnable', exitCode: 75 };
      await expect(store.queue('one').add('first', {})).rejects.toMatchObject(unable);
      await redis.send('ACL', 'SETUSER', 'jobs', '-@all', '+info', '+ping');
      await expect(store.erase()).rejects.toMatchObject(unable);
    } finally {
      await store.close();
      await redis.stop();
    }
  });

  test('a Redis that refuses the password at the start is named with its reply', async () => {
    const { redis, url } = await startWithUser();
    try {
      const opening = createRedisStore(url.replace('secret', 'other'), { warn() {} }, 'test');
      await expect(opening).rejects.toMatchObject({
        exitCode: 78,
        message: expect.stringMatching(/^Redis refuses the login \(WRONGPASS .*correct REDIS_URL\.$/),
      });
    } finally {
      await redis.stop();
    }
  });
});

async function startWithUser(): Promise<{ redis: RedisServer; url: string }> {
  const redis = await startRedis();
  await redis.send('ACL', 'SETUSER', 'jobs', 'on', '>secret', '~*', '&*', '+@all');
  return { redis, url: redis.url.replace('redis://', 'redis://jobs:secret@') };
}
