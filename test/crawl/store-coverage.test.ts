import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStoreRefresh } from '../../src/crawl/open-store-refresh.ts';
import { refreshStores } from '../../src/crawl/refresh-stores.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { nightOf, withCrawler } from '../support/crawl.ts';
import { useInstallation } from '../support/queue-backends.ts';

const { signal } = new AbortController();

/** The number of requests in docs/analyse/stores.md, with a small margin. */
const mostRequests = 450;

describe('section 4.2, the store list', () => {
  const installation = useInstallation();
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await createSimulator({ items: 10, storeCap: 50, storeRadiusCap: 100 });
  });
  afterAll(() => simulator.close());

  it('all 3,000 stores are found with responses limited to 50 stores and 100 miles', async () => {
    const env = { STORES_BASE_URL: simulator.url };
    const options = { installation, upstream: simulator.url, now: nightOf('2026-03-02'), env, crawler: { jobs: [] } };
    const done = await withCrawler(options, async (_, { context }) => {
      const { refreshId } = (await openStoreRefresh(context, 'command'))!;
      await refreshStores(context, refreshId, signal);
      return context.stores.byId(refreshId);
    });
    expect(done).toMatchObject({ status: 'published', verdict: 'complete', storesSeen: 3_000, reasons: [] });
    const { rows } = await installation.db.query('select store_id from catalog.store order by store_id');
    expect(rows.map((row) => row['store_id'])).toEqual(
      simulator
        .stores()
        .map(({ storeId }) => storeId)
        .sort(),
    );
    expect(done!.circles).toBeLessThanOrEqual(mostRequests);
    expect(simulator.log().byEndpoint['store-list']).toEqual({ 200: done!.circles });
    const { rows: spent } = await installation.db.query(
      `select sum(ok)::int as ok from ops.spend where listing = 'stores'`,
    );
    expect(spent).toEqual([{ ok: done!.circles }]);
  });

  it('all parameters of the store list are strings', () => {
    const [first] = simulator.log({ full: true }).requests!;
    const query = new URLSearchParams(first!.path.split('?')[1]);
    expect([...query.keys()].sort()).toEqual(['latitude', 'longitude', 'radius']);
    for (const text of query.values()) expect(text).toMatch(/^-?\d+(\.\d+)?$/);
  });
});
