import { expect, test } from 'vitest';
import { createSimulator } from '../../src/simulator/index.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { describeOnEachQueue } from '../support/queue-backends.ts';
import { disagreements } from '../support/truth.ts';

const date = '2026-05-04';

describeOnEachQueue('a queue that loses everything in the middle of a night', (installation) => {
  test('is filled again from the ledger: the night ends complete, no page done is asked again', {
    timeout: 120_000,
  }, async () => {
    const simulator = await createSimulator({
      items: 700,
      superDepartments: 8,
      date,
      faults: [{ kind: 'slow', ms: 60 }],
    });
    try {
      const night = crawlNight({
        installation,
        upstream: simulator.url,
        now: nightOf(date),
        regions: ['uk'],
        maxDetails: 10,
        env: { REQUEST_CONCURRENCY: '4' },
        crawler: { requeueAfterMs: 2_000 },
      });
      let losses = 0;
      const lost: Promise<void>[] = [];
      const timer = setInterval(() => {
        if (simulator.log().total < (losses + 1) * 18 || losses >= 2) return;
        losses += 1;
        lost.push(installation.loseQueue());
      }, 20);
      const runs = await night.finally(() => clearInterval(timer));

      await Promise.all(lost);
      expect(losses).toBe(2);
      expect(runs.map(({ status, verdict }) => [status, verdict])).toEqual([['published', 'complete']]);
      expect(await disagreements(installation.db, simulator, 'uk', date)).toEqual([]);
      const paths = simulator.log({ full: true }).requests!.map(({ path }) => path);
      expect(paths.length - new Set(paths).size).toBeLessThanOrEqual(2 * 8);
    } finally {
      await simulator.close();
    }
  });
});
