import { expect, test } from 'vitest';
import { createSimulator } from '../../src/simulator/index.ts';
import { useDatabase } from '../support/database.ts';
import { isRedisInstalled, startRedis } from '../support/redis-server.ts';
import { useHousehold } from './pricebook.ts';

const household = useHousehold();
const database = useDatabase({ from: 'empty', isForEachTry: true });

const crawl = ['--now', '2026-03-01', 'crawl', '--region', 'uk', '--max-details', '0'];

test.skipIf(!isRedisInstalled)(
  'a crawl whose Redis is gone for good ends when it is interrupted, without a line for each queue that waits, and the next one goes on',
  async () => {
    const simulator = await createSimulator({ items: 3_000, date: '2026-03-01', faults: [{ kind: 'slow', ms: 50 }] });
    const redis = await startRedis();
    try {
      const env = { DATABASE_URL: database.url, GROCERY_BASE_URL: simulator.url };
      const running = household.start(crawl, { ...env, REDIS_URL: redis.url });
      await expect.poll(() => simulator.log().total, { timeout: 60_000 }).toBeGreaterThan(20);
      await redis.stop();
      await running.until(/connection failed|met an error/);
      running.process.kill('SIGTERM');
      const { code, stderr } = await running.ended;
      expect(code).toBe(143);
      const said = stderr
        .slice(stderr.search(/^pricebook: SIGTERM/m))
        .trimEnd()
        .split('\n');
      expect(said.length).toBeLessThan(8);
      expect(said.at(-1)).toMatch(/^pricebook: what is in progress has not ended in 35 seconds and ends here/);
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
