import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { regionCodes } from '../../src/base/model/index.ts';
import { createSimulator } from '../../src/simulator/index.ts';
import { startCommand } from '../support/command.ts';
import { nightOf } from '../support/crawl.ts';
import { useDatabase } from '../support/database.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { isRedisClusterInstalled, startRedisCluster } from '../support/redis-cluster.ts';
import { isRedisInstalled } from '../support/redis-server.ts';
import { disagreements } from '../support/truth.ts';

const night = '2026-04-01';
const workers = 8;
const killed = 3;

describe.skipIf(!(isRedisInstalled && isRedisClusterInstalled))('a night whose queues are on a Redis Cluster', () => {
  const database = useDatabase();

  test('eight processes crawl a night whole although some of them are killed', { timeout: 240_000 }, async () => {
    const simulator = await createSimulator({ items: 1_000, seed: 3, superDepartments: 6 });
    const cluster = await startRedisCluster();
    const home = mkdtempSync(join(tmpdir(), 'pricebook-on-cluster-'));
    try {
      simulator.change({ date: night, faults: [{ kind: 'slow', ms: 100 }] });
      const start = () =>
        startCommand(['--now', nightOf(night).toISOString(), 'crawl', '--max-details', '16'], {
          cwd: home,
          env: {
            ...{ DATABASE_URL: database.url, REDIS_URL: cluster.url, GROCERY_BASE_URL: simulator.url },
            ...{ PRICEBOOK_HOME: home, REQUEST_CONCURRENCY: '2' },
          },
        });
      const children = Array.from({ length: workers }, start);
      for (let n = 1; n <= killed; n += 1) {
        while (simulator.log().total < n * 20 && !children.some(({ isOver }) => isOver())) await sleep(20);
        children.at(-1)!.process.kill('SIGKILL');
        await children.pop()!.ended;
      }
      const ends = await Promise.all(children.map(({ ended }) => ended));
      expect(ends.filter(({ code }) => code !== 0)).toEqual([]);
      for (const region of regionCodes) expect(await disagreements(database.db, simulator, region, night)).toEqual([]);
      expect(await brokenInvariants(database.db)).toEqual([]);
    } finally {
      await cluster.stop();
      await simulator.close();
      rmSync(home, { recursive: true, force: true });
    }
  });
});
