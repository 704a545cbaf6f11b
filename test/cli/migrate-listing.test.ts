import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { probeListings } from '../../jobs/probe-listings.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator, simulatorHosts } from '../../src/simulator/index.ts';
import { withCrawler } from '../support/crawl.ts';
import { useDatabase } from '../support/database.ts';
import { useCliHome } from './pricebook.ts';

const { property1, property1Old, property2, property2Old } = simulatorHosts;

describe('section 9: the real-estate listings move to their new hosts', () => {
  const { run } = useCliHome();
  const database = useDatabase();
  let simulator: Simulator;
  let env: Record<string, string>;
  beforeAll(async () => {
    simulator = await createSimulator({ items: 40, monthlyQuota: 500 });
    env = {
      DATABASE_URL: database.url,
      PROPERTY_1_BASE_URL: simulator.url,
      PROPERTY_1_HOST: property1Old,
      PROPERTY_1_PLAN: 'pro',
      PROPERTY_2_BASE_URL: simulator.url,
      PROPERTY_2_HOST: property2Old,
      GROCERY_BASE_URL: simulator.url,
    };
  });
  afterAll(() => simulator.close());
  beforeEach(() => {
    simulator.change({ goneHosts: [], unsubscribedHosts: [], migrated: false, faults: [], monthlyQuota: 500 });
    simulator.resetLog();
  });

  const migrate = (listing: string, ...more: string[]) =>
    run(['--now', '2026-07-10T12:00:00Z', 'listings', 'migrate', listing, ...more], env);
  const hostOf = async (listing: string) => {
    const { listings } = JSON.parse((await run(['listings', '--json'], env)).stdout);
    return listings.find((each: { listing: string }) => each.listing === listing).host;
  };
  const probe = (now: string) =>
    withCrawler(
      {
        installation: { databaseUrl: database.url },
        upstream: simulator.url,
        now: new Date(now),
        clock: 'played',
        env,
        crawler: { jobs: [] },
      },
      (_, { context }) => probeListings.run({}, context, new AbortController().signal),
    );

  test('before the move: the new host does not exist and nothing is moved', async () => {
    simulator.change({ goneHosts: [property1] });
    const { code, stderr } = await migrate('property-1');
    expect(code).toBe(1);
    expect(stderr).toMatch(/stays where it is: the gateway knows no listing with the host property-1\.simulator/);
    expect(simulator.log().byHost).toEqual({ [property1]: 1 });
    expect(await hostOf('property_1')).toBe(property1Old);
  });

  test('without a subscription to the new listing nothing is moved, and the old host gets no request', async () => {
    simulator.change({ unsubscribedHosts: [property1] });
    const { code, stderr } = await migrate('property-1');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('the account of the key in GATEWAY_KEY is not subscribed to this listing'),
    ]);
    expect(simulator.log().byHost).toEqual({ [property1]: 1 });
    const stopped = await rowsOf(database.db, `select listing from marts.listing_now where state <> 'ok'`);
    expect(stopped).toEqual([]);
  });

  test('a listing can be moved as soon as the new one is subscribed, however often it was tried before', async () => {
    simulator.change({ unsubscribedHosts: [property1] });
    for (let tries = 1; tries <= 5; tries += 1) expect((await migrate('property-1')).code).toBe(1);
    simulator.change({ unsubscribedHosts: [] });
    expect((await migrate('property-1', '--dry-run')).code).toBe(0);
  });

  test('a dry run probes without moving', async () => {
    const { code, stdout } = await migrate('property-1', '--dry-run');
    expect([code, stdout]).toEqual([
      0,
      'ok     the health probe\nproperty-1 stays at property-1-old.simulator: this was a dry run.\n',
    ]);
    expect(simulator.log().byHost).toEqual({ [property1]: 1 });
    const json = await migrate('property-1', '--dry-run', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      version: 1,
      switched: false,
      to: { host: property1 },
      checked: [{ request: 'the health probe', problem: null }],
    });
    expect(await hostOf('property_1')).toBe(property1Old);
  });

  test.each([
    ['an error in its answer', { kind: 'successFalse200' }],
    ['an error status', { kind: 'vendor500' }],
    ['no JSON', { kind: 'html200' }],
  ] as const)('a new host that answers with %s is not switched to', async (_, fault) => {
    simulator.change({ faults: [{ ...fault, host: property1, after: 0 }] });
    const { code } = await migrate('property-1');
    expect(code).toBe(1);
    expect(await hostOf('property_1')).toBe(property1Old);
  });

  test('further requests are checked, and a refused one stops the move unless it is forced', async () => {
    const checked = await migrate('property-1', '--dry-run', '--request', '/health?page=1');
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('ok     /health?page=1')]);
    const refused = await migrate('property-1', '--request', '/properties?page=1');
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('BROKEN /properties?page=1: ')]);
    const forced = await migrate('property-1', '--request', '/properties?page=1', '--despite-differences');
    expect(forced.code).toBe(0);
    expect((await migrate('property-1', '--back')).code).toBe(0);
  });

  test('the move holds for all processes and later starts, until it is taken back', async () => {
    await probe('2026-07-09T12:00:00Z');
    const { code, stdout, stderr } = await migrate('property-1');
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('All processes now use property-1.simulator for property-1'),
    ]);
    expect(stderr).toContain('moved from property-1-old.simulator on 2026-07-10');
    expect(stderr).toMatch(/Refund of its month, on request: 9\.\d\d USD \([1-9]\d* requests? used\)/);
    expect(await hostOf('property_1')).toBe(property1);

    simulator.resetLog();
    await probe('2026-07-12T12:00:00Z');
    expect(simulator.log().byHost).toMatchObject({ [property1]: 1 });
    // The process that probed is still configured for the old host.
    const [now] = await rowsOf(database.db, `select host from marts.listing_now where listing = 'property_1'`);
    expect(now).toEqual({ host: property1 });
    const shown = await run(['--now', '2026-07-12T12:00:00Z', 'listings'], env);
    expect(shown.stderr).toContain('moved from property-1-old.simulator on 2026-07-');
    const later = await run(['--now', '2026-09-12T12:00:00Z', 'listings'], env);
    expect(later.stderr).not.toContain('moved from property-1-old.simulator');

    expect((await migrate('property-1', '--back', '--dry-run')).code).toBe(2);
    expect(await hostOf('property_1')).toBe(property1);
    expect((await migrate('property-1', '--back')).stdout).toContain(
      'All processes use property-1-old.simulator for property-1 again.',
    );
    expect(await hostOf('property_1')).toBe(property1Old);
    expect((await migrate('property-1', '--back')).code).toBe(1);
  });

  test('a listing is moved after its old host was turned off, although its requests are stopped', async () => {
    simulator.change({ migrated: true });
    await probe('2026-07-21T12:00:00Z');
    const before = await run(['--now', '2026-07-21T12:00:00Z', 'listings'], env);
    expect(before.stderr).toMatch(
      /property-2-old\.simulator is its old host, which had to be left by 2026-05-12, 70 days ago/,
    );

    expect((await migrate('property-2')).code).toBe(0);
    expect(await hostOf('property_2')).toBe(property2);
    simulator.resetLog();
    await probe('2026-07-22T12:00:00Z');
    expect(simulator.log().byHost[property2]).toBe(1);
  });

  test('an unconfigured listing and an unknown host are reported in one line', async () => {
    const stores = await migrate('stores');
    expect([stores.code, stores.stderr]).toEqual([1, expect.stringMatching(/it is not configured.*STORES_HOST/)]);
    expect((await run(['listings', 'migrate'], env)).code).toBe(2);
    expect((await migrate('grocery', '--to', 'not a host')).code).toBe(2);
    expect((await migrate('grocery', '--to', 'http://gateway.example')).stderr).toContain('must begin with https://');
  });
});
