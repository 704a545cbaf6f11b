import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createRedisStore } from '../../src/crawl/queue/store.ts';
import { isRedisInstalled, type RedisServer, startRedis } from '../support/redis-server.ts';

type Command = readonly [string, ...string[]];

/** What makes Redis refuse, and what makes it serve again. */
const refusals: readonly { readonly name: string; readonly refuse: readonly Command[]; readonly serve: Command }[] = [
  { name: 'is a replica', refuse: [['REPLICAOF', '127.0.0.1', '1']], serve: ['REPLICAOF', 'NO', 'ONE'] },
  {
    name: 'has no memory left',
    refuse: [['CONFIG', 'SET', 'maxmemory', '1']],
    serve: ['CONFIG', 'SET', 'maxmemory', '0'],
  },
  {
    name: 'takes rights away',
    refuse: [['ACL', 'SETUSER', 'jobs', '-@all', '+info', '+ping']],
    serve: ['ACL', 'SETUSER', 'jobs', '+@all'],
  },
  {
    name: 'has another password',
    refuse: [
      ['ACL', 'SETUSER', 'jobs', 'resetpass', '>other'],
      ['CLIENT', 'KILL', 'USER', 'jobs'],
    ],
    serve: ['ACL', 'SETUSER', 'jobs', '>secret'],
  },
];

describe.skipIf(!isRedisInstalled)('a Redis that refuses', () => {
  // Each waits for seconds, on a server of its own.
  test.concurrent.for(refusals)(
    'a Redis that $name is waited for and logged once',
    async ({ refuse, serve }, { expect }) => {
      const { redis, url } = await startWithUser();
      const said: { refusal?: string }[] = [];
      const store = await createRedisStore(url, { warn: (fields) => said.push(fields as { refusal?: string }) });
      const done: unknown[] = [];
      try {
        const workers = ['one', 'two', 'three'].map((name) =>
          store.worker(name, 1, async (payload) => void done.push(payload)),
        );
        const queue = store.queue('one');
        await queue.add('first', { n: 1 });
        await expect.poll(() => done, { timeout: 20_000 }).toEqual([{ n: 1 }]);

        for (const command of refuse) await redis.send(...command);
        let isAdded = false;
        const adding = queue.add('second', { n: 2 }).then(() => {
          isAdded = true;
        });
        const scheduling = queue.repeat('often', { pattern: '0 3 * * *', timeZone: 'UTC' }, {});
        await sleep(6_000);
        expect(isAdded).toBe(false);
        expect(said.filter(({ refusal }) => refusal !== undefined).length).toBe(1);
        expect(said.length).toBeLessThan(3);

        await redis.send(...serve);
        await Promise.all([adding, scheduling]);
        await expect.poll(() => done, { timeout: 20_000 }).toEqual([{ n: 1 }, { n: 2 }]);
        await Promise.all(workers.map((worker) => worker.close()));
      } finally {
        await store.close();
        await redis.stop();
      }
    },
  );

  test('a Redis that refuses the password at the start is named with its reply', async () => {
    const { redis, url } = await startWithUser();
    try {
      const opening = createRedisStore(url.replace('secret', 'other'), { warn() {} });
      await expect(opening).rejects.toMatchObject({
        exitCode: 69,
        message: expect.stringMatching(/^Redis is unreachable \(WRONGPASS .*correct REDIS_URL\.$/),
      });
    } finally {
      await redis.stop();
    }
  });

  test('a Redis that refuses is an outage for a command that empties the queues', async () => {
    const { redis, url } = await startWithUser();
    const store = await createRedisStore(url, { warn() {} });
    try {
      await redis.send('ACL', 'SETUSER', 'jobs', '-@all', '+info', '+ping');
      await expect(store.erase()).rejects.toMatchObject({ name: 'ServerUnable', exitCode: 75 });
    } finally {
      await store.close();
      await redis.stop();
    }
  });
});

async function startWithUser(): Promise<{ redis: RedisServer; url: string }> {
  const redis = await startRedis();
  await redis.send('ACL', 'SETUSER', 'jobs', 'on', '>secret', '~*', '&*', '+@all');
  return { redis, url: redis.url.replace('redis://', 'redis://jobs:secret@') };
}
