import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSimulator } from '../../src/simulator/index.ts';
import { useDatabase } from '../support/database.ts';
import { isRedisInstalled, startRedis } from '../support/redis-server.ts';
import { createTcpProxy } from '../support/tcp-proxy.ts';
import { useHousehold } from './pricebook.ts';

const household = useHousehold();
const database = useDatabase({ from: 'empty', isForEachTest: true });
const silent = useDatabase({ from: 'empty', isForEachTest: true });

const refused = useDatabase({ from: 'empty', isForEachTest: true });

const crawl = ['--now', '2026-03-01', 'crawl', '--region', 'uk', '--max-details', '0'];

test.skipIf(!isRedisInstalled)(
  'a crawl without Redis ends when interrupted, without a line per queue, and the next crawl continues',
  async () => {
    const simulator = await createSimulator({ items: 3_000, date: '2026-03-01', faults: [{ kind: 'slow', ms: 50 }] });
    const redis = await startRedis();
    try {
      const env = { DATABASE_URL: database.url, GROCERY_BASE_URL: simulator.url };
      const running = household.start(crawl, { ...env, REDIS_URL: redis.url });
      await expect.poll(() => simulator.log().total, { timeout: 60_000 }).toBeGreaterThan(20);
      await redis.stop();
      await running.until(/connection failed|queue (worker )?failed/);
      running.process.kill('SIGTERM');
      const { code, stderr } = await running.ended;
      expect(code).toBe(143);
      const said = stderr
        .slice(stderr.search(/^pricebook: SIGTERM/m))
        .trimEnd()
        .split('\n');
      expect(said.length).toBeLessThan(8);
      // Work in progress has ended; closing does not wait for queue servers that never answer.
      expect(said.join('\n')).not.toContain('did not finish');
      expect(await household.run(crawl, env)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^uk 2026-03-01: complete/),
      });
    } finally {
      await redis.stop();
      await simulator.close();
    }
  },
);

test('a crawl with an unresponsive database ends half a minute after an interruption and reports it', async () => {
  const simulator = await createSimulator({ items: 3_000, date: '2026-03-01', faults: [{ kind: 'slow', ms: 50 }] });
  const server = new URL(silent.url);
  const link = await createTcpProxy({ host: server.hostname, port: Number(server.port) });
  const through = new URL(silent.url);
  through.port = String(link.port);
  try {
    const env = { DATABASE_URL: through.href, GROCERY_BASE_URL: simulator.url };
    const running = household.start(crawl, env);
    await expect.poll(() => simulator.log().total, { timeout: 60_000 }).toBeGreaterThan(20);
    link.set('hole');
    running.process.kill('SIGTERM');
    const { code, stderr } = await running.ended;
    expect(code).toBe(143);
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
      /^pricebook: work in progress did not finish in 35 seconds and is stopped\. Nothing is lost/,
    );
    expect(await household.run(crawl, { ...env, DATABASE_URL: silent.url })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^uk 2026-03-01: complete/),
    });
  } finally {
    await link.close();
    await simulator.close();
  }
});

test.skipIf(!isRedisInstalled)(
  'a crawl whose Redis is a replica for a while waits, says so once and ends complete',
  async () => {
    const simulator = await createSimulator({ items: 600, date: '2026-03-01', faults: [{ kind: 'slow', ms: 50 }] });
    const redis = await startRedis();
    try {
      const env = { DATABASE_URL: refused.url, GROCERY_BASE_URL: simulator.url, REDIS_URL: redis.url };
      const crawling = household.start(crawl, env);
      await expect.poll(() => simulator.log().total, { timeout: 60_000 }).toBeGreaterThan(7);
      await redis.send('REPLICAOF', '127.0.0.1', '1');
      await sleep(15_000);
      expect(crawling.process.exitCode).toBeNull();
      await redis.send('REPLICAOF', 'NO', 'ONE');
      const { code, stdout, stderr } = await crawling.ended;
      expect(stderr.match(/"msg":/g)?.length ?? 0).toBeLessThan(8);
      expect(stderr).toMatch(/READONLY/);
      expect(stderr).not.toContain('bug');
      expect(stdout).toMatch(/^uk 2026-03-01: complete/);
      expect(code).toBe(0);
    } finally {
      await redis.stop();
      await simulator.close();
    }
  },
);
