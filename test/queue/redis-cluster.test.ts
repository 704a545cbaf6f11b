import { expect, test } from 'vitest';
import { createRedisStore } from '../../src/crawl/queue/store.ts';
import { isRedisClusterInstalled, startRedisCluster } from '../support/redis-cluster.ts';
import { isRedisInstalled } from '../support/redis-server.ts';

const isPossible = isRedisInstalled && isRedisClusterInstalled;
const each = Array.from({ length: 40 }, (_, n) => n);

test.skipIf(!isPossible)('queues on a Redis Cluster of three hand every job to a worker, and are erased', async () => {
  const cluster = await startRedisCluster();
  const stores = await Promise.all([0, 1, 2].map((i) => createRedisStore(cluster.nodes[i]!.url, { warn() {} }, 'one')));
  const other = await createRedisStore(cluster.url, { warn() {} }, 'other');
  try {
    const done = new Set<number>();
    const workers = stores.map((store) =>
      store.worker('count', 4, async (data) => void done.add((data as { n: number }).n)),
    );
    for (const n of each) await stores[n % 3]!.queue('count').add(`job-${n}`, { n });
    await stores[0]!.queue('count').repeat('nightly', { pattern: '0 2 * * *', timeZone: 'Europe/London' }, {});
    await expect.poll(() => done.size, { timeout: 60_000 }).toBe(each.length);
    await Promise.all(workers.map((worker) => worker.close()));
    expect(await stores[1]!.depths('count')).toEqual({ waiting: 0, active: 0, delayed: 1 });
    await other.queue('count').add('kept', {});
    await stores[0]!.erase();
    expect(await stores[1]!.depths('count')).toEqual({ waiting: 0, active: 0, delayed: 0 });
    expect(await other.depths('count')).toEqual({ waiting: 1, active: 0, delayed: 0 });
  } finally {
    for (const store of [...stores, other]) await store.close();
    await cluster.stop();
  }
});
