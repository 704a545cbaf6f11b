import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSimulator } from '../../src/simulator/index.ts';
import { nightOf } from '../support/crawl.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { startChild } from '../support/start-child.ts';

const date = '2026-05-05';
const allowed = 5;

describe('two crawling processes', () => {
  const installation = useInstallation();

  test('share one pace: the upstream sees it kept and used, and refuses nobody', {
    timeout: 120_000,
    retry: 2,
  }, async () => {
    const home = mkdtempSync(join(tmpdir(), 'pricebook-pace-'));
    const simulator = await createSimulator({ items: 1100, date, requestsPerSecond: allowed, burst: 1 });
    const { databaseUrl, queue } = installation;
    const options = {
      installation: { databaseUrl, queue },
      upstream: simulator.url,
      now: nightOf(date).toISOString(),
      regions: ['uk', 'ie'] as const,
      maxDetails: 0,
      home,
      env: { GROCERY_REQUESTS_PER_SECOND: String(allowed) },
    };
    try {
      const children = [startChild(options), startChild(options)];
      for (const { how, stderr } of await Promise.all(children.map(({ ended }) => ended))) expect(how, stderr).toBe(0);

      const { total, byStatus, maxPerSecond, timesMs } = simulator.log({ times: true });
      expect(byStatus).toEqual({ 200: total });
      expect(maxPerSecond).toBeLessThanOrEqual(allowed + 1);
      // From when there is more to ask than may be asked: before, one answer after another says what comes next.
      const steady = timesMs!.slice(10);
      const seconds = (steady.at(-1)! - steady[0]!) / 1_000;
      expect(seconds).toBeGreaterThan(15);
      expect((steady.length - 1) / seconds).toBeGreaterThanOrEqual(4.9);
    } finally {
      await simulator.close();
      rmSync(home, { recursive: true, force: true });
    }
  });
});
