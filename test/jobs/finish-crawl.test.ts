import { expect, test } from 'vitest';
import { crawlRun } from '../../jobs/crawl-run.ts';
import { crawlTaxonomy } from '../../jobs/crawl-taxonomy.ts';
import { finishCrawl } from '../../jobs/finish-crawl.ts';
import { openNight } from '../../src/crawl/open-night.ts';
import { createSimulator } from '../../src/simulator/index.ts';
import { nightOf, withCrawler } from '../support/crawl.ts';
import { useInstallation } from '../support/queue-backends.ts';

const installation = useInstallation();

test('a run counts its last requests even if publishing takes a while', async () => {
  const { db } = installation;
  // As slow as a large night, so that counts are flushed during it.
  await db.query(
    `create function public.take_long() returns trigger language plpgsql as $$
       begin perform pg_sleep(1); return null; end $$;
     create trigger take_long after update on ops.run for each row
       when (new.status = 'published') execute function public.take_long()`,
  );
  const date = '2026-03-01';
  const simulator = await createSimulator({ items: 40, superDepartments: 2, date });
  const { signal } = new AbortController();
  try {
    const at = { installation, upstream: simulator.url, now: nightOf(date), crawler: { jobs: [] } };
    const runId = await withCrawler(at, async (_, { context }) => {
      const { runId: opened } = (await openNight(context, { region: 'uk', maxDetails: 20, origin: 'command' }))!;
      await crawlTaxonomy.run({ run: opened }, context, signal);
      while ((await context.runs.byId(opened)).status === 'open') {
        await crawlRun.uk.run({ run: opened, worker: 'any' }, context, signal);
        await finishCrawl.run({ run: opened }, context, signal);
      }
      expect((await context.runs.byId(opened)).requestsSpent).toBe(simulator.log().total);
      return opened;
    });
    const { rows } = await db.query('select requests_spent from ops.run where run_id = $1', [runId]);
    expect(rows).toEqual([{ requests_spent: simulator.log().total }]);
  } finally {
    await simulator.close();
  }
});
