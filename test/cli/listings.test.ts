import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { probeListings } from '../../jobs/probe-listings.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { withCrawler } from '../support/crawl.ts';
import { useDatabase } from '../support/database.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { useCliHome } from './pricebook.ts';

const now = '2026-06-30T12:00:00Z';

describe('pricebook listings (sections 4.3 and 8)', () => {
  const { run } = useCliHome();
  const database = useDatabase();
  let simulator: Simulator;
  let env: Record<string, string>;
  beforeAll(async () => {
    simulator = await createSimulator({ items: 40, now: () => new Date(now) });
    env = {
      DATABASE_URL: database.url,
      GROCERY_BASE_URL: simulator.url,
      GROCERY_MONTHLY_QUOTA: '500',
      GROCERY_PRICE: '9.99 USD',
      PROPERTY_1_BASE_URL: simulator.url,
      PROPERTY_1_HOST: 'property-1-old.simulator',
      PROPERTY_2_BASE_URL: simulator.url,
      PROPERTY_2_HOST: 'estate.example',
      STORES_BASE_URL: simulator.url,
      STORES_KEY: 'unsubscribed',
    };
  });
  afterAll(() => simulator.close());

  const listings = async (...more: string[]) => run(['--now', now, 'listings', ...more], env);
  const crawling = () =>
    ({
      installation: { databaseUrl: database.url },
      upstream: simulator.url,
      now: new Date(now),
      clock: 'played',
      env,
      crawler: { jobs: [] },
    }) as const;
  const probe = () =>
    withCrawler(crawling(), (_, { context }) => probeListings.run({}, context, new AbortController().signal));

  test('listings sends no request and shows no results before the first probe', async () => {
    const { code, stdout } = await listings('--json');
    const { version, listings: found } = JSON.parse(stdout);
    expect([code, version, simulator.log().total]).toEqual([0, 1, 0]);
    expect(found[0]).toMatchObject({ listing: 'grocery', host_is: 'current', subscribed: null, requests_spent: 0 });
    expect(found[0].health).toMatchObject({ state: 'not probed yet', latency_ms: null });
  });

  test('section 4.3: health probes show which listings answer, refuse the key or have an unknown host', async () => {
    await probe();
    expect(simulator.log().byEndpoint).toMatchObject({ health: { 200: 2, 404: 1 }, 'store-list': { 403: 1 } });

    const { listings: found } = JSON.parse((await listings('--json')).stdout);
    expect(found).toMatchObject([
      {
        ...{ listing: 'grocery', key: { present: true, variable: 'GROCERY_KEY' }, subscribed: true },
        health: { state: 'answers', latency_ms: expect.any(Number), said: null },
        ...{ requests_spent: 1, monthly_quota: 500, cost: { amount: '9.99', currency: 'USD' } },
        ...{ deadline: null, warnings: [] },
      },
      {
        listing: 'stores',
        subscribed: false,
        health: { state: 'refuses the key' },
        warnings: [expect.stringContaining('the key in STORES_KEY is not subscribed')],
      },
      {
        listing: 'property_1',
        host: 'property-1-old.simulator',
        host_is: 'replaced',
        subscribed: true,
        deadline: { leave_by: '2026-07-20', state: 'near', days: 20 },
        warnings: [
          expect.stringMatching(/old host, which has to be left by 2026-07-20, in 20 days.*migrate property-1/),
        ],
      },
      {
        listing: 'property_2',
        host_is: 'unknown',
        health: { state: 'not at this host' },
        deadline: { state: 'passed', days: -49 },
        warnings: [expect.stringMatching(/old host had to be left by .*49 days ago. If that is estate\.example/)],
      },
    ]);
    const kept = await rowsOf(database.db, 'select listing, outcome::text from ops.listing_probe order by listing');
    expect(kept).toEqual([
      { listing: 'grocery', outcome: 'answered' },
      { listing: 'property_1', outcome: 'answered' },
      { listing: 'property_2', outcome: 'missing' },
      { listing: 'stores', outcome: 'denied' },
    ]);
  });

  test('listings names the listings that are not configured', async () => {
    const { stdout, stderr } = await run(['--now', now, 'listings'], {
      DATABASE_URL: database.url,
      GROCERY_BASE_URL: simulator.url,
    });
    expect(stdout).toMatch(/^property-2 +not configured *$/m);
    expect(stderr).not.toContain('migrate');
  });
});

describe('listings that the simulator plays', () => {
  const { run } = useCliHome({ book: useInstallation() });

  test('a listing that has answered requests is not called unconfigured', async () => {
    const refreshed = await run(['--now', now, 'stores', '--refresh']);
    expect(refreshed.code, refreshed.stderr).toBe(0);
    const { rows } = JSON.parse((await run(['requests', '--listing', 'stores', '--json'])).stdout);
    expect(rows).toMatchObject([{ listing: 'stores', failed: 0 }]);
    const { listings } = JSON.parse((await run(['--now', now, 'listings', '--json'])).stdout);
    const stores = listings.find(({ listing }: { listing: string }) => listing === 'stores');
    expect([stores.health.state, stores.requests_spent]).toEqual(['answers', rows[0].requests]);
  });
});
