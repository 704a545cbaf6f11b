import { afterAll, beforeAll, expect, test } from 'vitest';
import { crawlStores } from '../../jobs/crawl-stores.ts';
import { crawlJobs } from '../../jobs/index.ts';
import { crawlNights } from '../../src/cli/crawl-nights.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { nightOf, withCrawler } from '../support/crawl.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { disagreements } from '../support/truth.ts';

const installation = useInstallation(undefined, { isForEachTest: true });
let simulator: Simulator;
beforeAll(async () => {
  simulator = await createSimulator({ items: 120, superDepartments: 3, evolve: false });
});
afterAll(() => simulator.close());

interface Worker {
  crawl(): Promise<unknown>;
  /** As `watch-runs` does it. */
  refreshStores(): Promise<unknown>;
  readonly stop: AbortController;
}

const workOn = (date: string, use: (worker: Worker) => Promise<void>) => {
  simulator.change({ date });
  const options = {
    installation,
    upstream: simulator.url,
    now: nightOf(date),
    env: {
      STORES_BASE_URL: simulator.url,
      STORES_KEY: 'stores-key',
      STORE_AREAS: '52.9,-4.8,53.5,-3.6',
      REQUEST_CONCURRENCY: '1',
    },
    crawler: { jobs: [...crawlJobs, crawlStores] },
  };
  return withCrawler(options, async (base, crawler) => {
    const { queues, stores } = crawler.context;
    const stop = new AbortController();
    const asked = { regions: ['uk'] as const, maxDetails: 5, signal: stop.signal };
    await use({
      crawl: () => crawlNights(base, crawler, asked),
      refreshStores: async () => queues.enqueue(crawlStores, { refresh: (await stores.openOne())?.refreshId ?? null }),
      stop,
    });
  });
};
const refreshes = async () =>
  (await installation.db.query('select status::text, verdict::text from ops.store_refresh')).rows;
const isHanging = (endpoint: string) =>
  expect.poll(() => simulator.log().byEndpoint[endpoint], { timeout: 20_000 }).toEqual({ 0: 1 });

test('a worker with one request per listing finishes the night while the store locator hangs, and vice versa', {
  timeout: 120_000,
}, async () => {
  simulator.change({ faults: [{ kind: 'hang', endpoint: 'store-list' }] });
  await workOn('2026-03-01', async ({ crawl, refreshStores }) => {
    await refreshStores();
    await isHanging('store-list');
    expect(await crawl()).toMatchObject([{ status: 'published', verdict: 'complete' }]);
    expect(await refreshes()).toEqual([{ status: 'open', verdict: null }]);
    expect(simulator.log().byEndpoint['store-list']).toEqual({ 0: 1 });
  });
  expect(await disagreements(installation.db, simulator, 'uk', '2026-03-01')).toEqual([]);

  simulator.change({ faults: [{ kind: 'hang', endpoint: 'category-page' }] });
  simulator.resetLog();
  await workOn('2026-03-02', async ({ crawl, refreshStores, stop }) => {
    const night = crawl().catch((error: unknown) => error);
    await isHanging('category-page');
    await refreshStores();
    await expect.poll(refreshes, { timeout: 20_000 }).toEqual([{ status: 'published', verdict: 'complete' }]);
    expect(simulator.log().byEndpoint['category-page']).toEqual({ 0: 1 });
    stop.abort(new Error('seen enough'));
    expect(await night).toEqual(new Error('seen enough'));
  });
});
