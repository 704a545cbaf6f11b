import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRedisStore } from '../../src/crawl/queue/store.ts';
import { createSimulator } from '../../src/simulator/index.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { useDatabase } from '../support/database.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { type RedisCluster, startRedisCluster } from '../support/redis-cluster.ts';
import { isRedisInstalled, startRedis } from '../support/redis-server.ts';
import { disagreements } from '../support/truth.ts';

const why = isRedisInstalled ? '' : ' (redis-server is not installed)';

describe.skipIf(!isRedisInstalled)(`the queue on a Redis Cluster${why}`, () => {
  const database = useDatabase({ isForEachTest: true });
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster?.stop());

  it('a cluster is found through any node, keeps queues on several, and is erased from all', async () => {
    const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
    const store = await createRedisStore(cluster.urls[1]!, { warn() {} });
    const done: unknown[] = [];
    const workers = names.map((name) => store.worker(name, 2, async (payload) => void done.push(payload)));
    for (const name of names) await store.queue(name).add('job', { name });
    await expect.poll(() => done.length).toBe(names.length);
    await Promise.all(workers.map((worker) => worker.close()));

    expect((await cluster.keys()).filter((keys) => keys.length > 0).length).toBeGreaterThan(1);
    await store.erase();
    expect((await cluster.keys()).flat()).toEqual([]);
    await store.close();
  });

  it('a night completes on a cluster whose first listed node is down', async () => {
    const simulator = await createSimulator({ items: 200, superDepartments: 4, date: '2026-03-01' });
    const away = 'redis://127.0.0.1:1';
    try {
      const runs = await crawlNight({
        installation: { databaseUrl: database.url, queue: { REDIS_URL: [away, ...cluster.urls].join(',') } },
        upstream: simulator.url,
        now: nightOf('2026-03-01'),
        regions: ['uk'],
      });
      expect(runs.map(({ verdict }) => verdict)).toEqual(['complete']);
      expect(await disagreements(database.db, simulator, 'uk', '2026-03-01')).toEqual([]);
      expect(await brokenInvariants(database.db)).toEqual([]);
    } finally {
      await simulator.close();
    }
  });

  it('a node that may drop jobs, and several servers that are no cluster, are refused', async () => {
    const evicting = await startRedisCluster(['--maxmemory-policy', 'allkeys-lru']);
    const opening = createRedisStore(evicting.urls[0]!, { warn() {} });
    await expect(opening).rejects.toThrow('maxmemory-policy is allkeys-lru');
    await evicting.stop();
    const alone = await startRedis();
    const several = createRedisStore(`${alone.url},${alone.url}`, { warn() {} });
    await expect(several).rejects.toMatchObject({ name: 'ConfigInvalid', exitCode: 78 });
    await expect(several).rejects.toThrow('no Redis Cluster');
    await alone.stop();
  });
});
