import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator, simulatorHosts } from '../../src/simulator/index.ts';
import { startReceiver } from '../alerts/receiver.ts';
import { useHousehold } from '../cli/pricebook.ts';
import { withCrawler } from '../support/crawl.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { sentinelKey } from '../support/sentinel-key.ts';
import { disagreements } from '../support/truth.ts';

const book = useInstallation();
const { run, start } = useHousehold({ book });
const lastOfMarch = '2026-03-31T02:00:00Z';
/** Requests of the month that remain for details on its last night. */
const details = 12;
const byOthers = 5;

let simulator: Simulator;
let env: Record<string, string>;
beforeAll(async () => {
  simulator = await createSimulator({
    items: 240,
    superDepartments: 4,
    // Makes the number of requests of a night exactly known.
    evolve: false,
    date: '2026-03-30',
    now: () => new Date(lastOfMarch),
    subscribedOn: '2026-01-01',
    storeCap: 8,
  });
  env = {
    GROCERY_BASE_URL: simulator.url,
    GROCERY_RESERVE: '0',
    STORES_BASE_URL: simulator.url,
    STORES_KEY: 'stores-key',
    STORES_RESERVE: '0',
    STORE_AREAS: '52.9,-4.8,53.5,-3.6',
    REQUEST_CONCURRENCY: '1',
  };
});
afterAll(() => simulator.close());

const crawling = (now: string, maxDetails: number) =>
  ['--now', now, 'crawl', '--region', 'uk', '--max-details', String(maxDetails)] as const;
const lastNight = (...args: string[]) => run(['--now', lastOfMarch, ...args], env);
const planned = async (): Promise<{ taxonomy: number; listing: number; details: number; total: number }> =>
  JSON.parse((await lastNight('plan', '--region', 'uk', '--max-details', '100', '--json')).stdout).regions[0].requests;
const arrivedAt = (listing: string) => simulator.log().byListing[listing]?.total ?? 0;
const spentBy = async () => {
  const { listings } = JSON.parse((await lastNight('listings', '--json')).stdout);
  return Object.fromEntries(
    listings.map((each: { listing: string; requests_spent: number }) => [each.listing, each.requests_spent]),
  );
};

test('requests of searches and of other programs reduce the details that a night plans', async () => {
  expect((await run(crawling('2026-03-30T02:00:00Z', 0), env)).code).toBe(0);
  simulator.change({ date: '2026-03-31' });
  const { taxonomy, listing } = await planned();
  const quota = arrivedAt('grocery') + taxonomy + listing + details + byOthers + 1;
  env = { ...env, GROCERY_MONTHLY_QUOTA: String(quota) };
  simulator.change({ monthlyQuota: quota });
  expect((await planned()).details).toBe(details + byOthers + 1);

  const headers = { 'x-gateway-host': simulatorHosts.grocery, 'x-gateway-key': sentinelKey };
  for (let sent = 0; sent < byOthers; sent++) await fetch(`${simulator.url}/health`, { headers });
  expect((await lastNight('search', 'fresh')).code).toBe(0);
  expect(await planned()).toEqual({ taxonomy, listing, details, total: taxonomy + listing + details });
});

test('the quota alert counts requests of other programs', async () => {
  const receiver = await startReceiver();
  const used = arrivedAt('grocery');
  const options = {
    installation: book,
    upstream: simulator.url,
    now: new Date(lastOfMarch),
    clock: 'played',
    env: { ...env, GROCERY_MONTHLY_QUOTA: String(used), ALERT_URL: receiver.url },
    crawler: { jobs: [] },
  } as const;
  try {
    await withCrawler(options, (_, { context }) => context.alerts!.look(new AbortController().signal));
    expect(receiver.taken.map(({ body }) => [body['event'], body['message']])).toContainEqual([
      'raised',
      `grocery: ${used} of ${used} requests of this month are used. Runs wait for the next month.`,
    ]);
  } finally {
    await receiver.close();
  }
});

test('a store refresh during a night uses only its own quota, and both complete', {
  timeout: 120_000,
}, async () => {
  const before = arrivedAt('grocery');
  const { total } = await planned();
  // Slow enough that the store refresh starts and stops while details are requested.
  simulator.change({ faults: [{ kind: 'slow', ms: 400, endpoint: 'product-details' }] });
  const night = start(crawling(lastOfMarch, 100), env);
  await expect.poll(() => simulator.log().byEndpoint['product-details'], { timeout: 60_000 }).toBeDefined();

  const stopped = await run(['--now', lastOfMarch, 'stores', '--refresh'], { ...env, STORES_MONTHLY_QUOTA: '6' });
  expect([stopped.code, stopped.stdout]).toEqual([75, '']);
  expect(stopped.stderr.trim().split('\n')).toEqual([
    'pricebook: stores: the monthly quota of 6 requests is used up. Nothing was lost; ' +
      'run the same command again after 2026-04-01T00:00:00.000Z.',
  ]);
  expect(arrivedAt('stores')).toBe(6);
  const beside = simulator.log({ full: true }).requests!.map(({ path }) => path.split('?')[0]);
  const whole = await run(['--now', lastOfMarch, 'stores', '--refresh'], { ...env, STORES_MONTHLY_QUOTA: '1000' });
  expect([whole.code, whole.stderr]).toEqual([0, expect.stringMatching(/changed: 0, gone: 0 .*; complete\./)]);

  const { code, stdout } = await night.ended;
  expect([code, stdout]).toEqual([0, expect.stringMatching(/uk .*complete/)]);
  expect(beside.indexOf('/store-list')).toBeGreaterThan(beside.indexOf('/product-details'));
  const after = simulator.log({ full: true }).requests!.slice(beside.length);
  expect(after.map(({ path }) => path.split('?')[0])).toContain('/product-details');

  expect(simulator.log().byStatus).toEqual({ 200: simulator.log().total });
  expect(arrivedAt('grocery') - before).toBe(total);
  const [done] = await rowsOf<{ details: number; circles: number }>(
    book.db,
    `select (select count(*) from ops.detail_fetch where status = 'done')::int as details,
       (
         select count(*) from ops.store_refresh cross join lateral jsonb_array_elements(searched) as circle
         where circle ->> 'state' = 'done')::int as circles`,
  );
  expect(done).toEqual({ details, circles: arrivedAt('stores') });
  expect(await spentBy()).toMatchObject({ grocery: arrivedAt('grocery') - byOthers, stores: arrivedAt('stores') });
  expect(await disagreements(book.db, simulator, 'uk', '2026-03-31')).toEqual([]);
  expect(await brokenInvariants(book.db)).toEqual([]);
});
