import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator } from '../../src/simulator/index.ts';
import { nightOf } from '../support/crawl.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { startChild } from '../support/start-child.ts';

const date = '2026-05-05';
const allowed = 10;

describe('two crawling processes', () => {
  const installation = useInstallation(undefined, { isForEachTest: true });

  test('share one pace: each request has a place of its own in it, and none is lost', {
    timeout: 120_000,
  }, async () => {
    const home = mkdtempSync(join(tmpdir(), 'pricebook-pace-'));
    const simulator = await createSimulator({ items: 120, superDepartments: 4, date });
    const { databaseUrl, queue = {} } = installation;
    const options = {
      installation: { databaseUrl, queue },
      upstream: simulator.url,
      now: nightOf(date).toISOString(),
      regions: ['uk', 'ie'] as const,
      maxDetails: 0,
      home,
      env: { GROCERY_REQUESTS_PER_SECOND: String(allowed) },
    };
    const [begun] = await rowsOf<{ ms: number }>(
      installation.db,
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    );
    try {
      const children = [startChild(options), startChild(options)];
      for (const { how, stderr } of await Promise.all(children.map(({ ended }) => ended))) expect(how, stderr).toBe(0);

      const { total, byStatus } = simulator.log();
      expect(byStatus).toEqual({ 200: total });
      const [pace] = await rowsOf<{ next: number; sent: number }>(
        installation.db,
        'select next_slot_ms as next, (select sum(sent - aborted) from ops.spend)::int as sent from ops.listing',
      );
      expect(pace!.sent).toBe(total);
      // Where both kept a pace of their own, the schedule would have run for half as long.
      expect(pace!.next - begun!.ms).toBeGreaterThanOrEqual((total * 1_000) / allowed);
    } finally {
      await simulator.close();
      rmSync(home, { recursive: true, force: true });
    }
  });
});
