import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { probeListings } from '../../jobs/probe-listings.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator, type SimulatorChange, simulatorHosts } from '../../src/simulator/index.ts';
import { withCrawler } from '../support/crawl.ts';
import { useDatabase } from '../support/database.ts';
import { useHousehold } from './pricebook.ts';

const { property1, property1Old, property2, property2Old } = simulatorHosts;

describe('section 9: the real-estate listings move to their new hosts', () => {
  const { run } = useHousehold();
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
      PROPERTY_1_MONTHLY_QUOTA: '500',
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
        env,
        crawler: { jobs: [] },
      },
      (_, { context }) => probeListings.run({}, context, new AbortController().signal),
    );

  test('before the move: the new host does not exist and nothing is moved', async () => {
    simulator.change({ goneHosts: [property1] });
    const { code, stderr } = await migrate('property-1');
    expect(code).toBe(1);
    expect(stderr).toMatch(/stays where it is: the gateway knows no listing by the host property-1\.simulator/);
    expect(simulator.log().byHost).toEqual({ [property1]: 1 });
    expect(await hostOf('property_1')).toBe(property1Old);
  });

  test('without a subscription to the new listing nothing is moved, and the old host gets no request', async () => {
    simulator.change({ unsubscribedHosts: [property1] });
    const { code, stderr } = await migrate('property-1');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /the key in GATEWAY_KEY is not subscribed to property-1\.simulator\. Subscribe to the new listing/,
      ),
    ]);
    const stopped = await rowsOf(database.db, `select listing from marts.listing_now where state <> 'ok'`);
    expect(stopped).toEqual([{ listing: `property_1@${property1}` }]);
  });

  test('a dry run compares without moving', async () => {
    const { code, stdout, stderr } = await migrate('property-1', '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^same {2}\/health\nsame {2}\/no-such-endpoint\nNo difference in 2 requests; 4 were sent/m);
    expect(stdout).toContain('property-1 stays at property-1-old.simulator: this was a dry run.');
    expect(stderr).toContain('Deadline for leaving the old host: 2026-07-20, in 10 days.');
    expect(stderr).toContain('The new host allows 500 requests a month, the old one 500.');
    expect(simulator.log().byHost).toEqual({ [property1]: 2, [property1Old]: 2 });
    expect(await hostOf('property_1')).toBe(property1Old);
  });

  test.each([
    ['another answer', { kind: 'successFalse200' }, 'field error: missing -> string'],
    ['another status', { kind: 'vendor500' }, 'status status: 200 -> 500'],
    ['no JSON', { kind: 'html200' }, 'body $: object -> not JSON'],
  ] as const)('%s of the new host stops the move', async (_, fault, difference) => {
    simulator.change({ faults: [{ ...fault, host: property1, after: 0 }] });
    const { code, stdout, stderr } = await migrate('property-1');
    expect([code, stdout]).toEqual([1, expect.stringContaining(difference)]);
    expect(stdout).toContain('property-1 stays at property-1-old.simulator.');
    expect(stderr).toContain('The listing was not moved.');
    expect(await hostOf('property_1')).toBe(property1Old);
  });

  test('during the move: without differences the host is switched, with a warning and an undo', async () => {
    const { code, stdout, stderr } = await migrate('property-1');
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('All processes now use property-1.simulator for property-1'),
    ]);
    expect(stderr).toMatch(/Both subscriptions are billed, together 19\.98 USD a month, until you unsubscribe/);
    // Two requests of this comparison went to the old host, and two of the one before.
    expect(stderr).toMatch(
      /Refund of the old plan's month, on request: 9\.\d\d USD \(([2-9]|\d\d+) of 500 requests used\)/,
    );
    expect(await hostOf('property_1')).toBe(property1);

    simulator.resetLog();
    await probe('2026-07-12T12:00:00Z');
    expect(simulator.log().byHost).toMatchObject({ [property1]: 1 });
    // The process that probed is still configured for the old host.
    const [now] = await rowsOf(
      database.db,
      `select host, moved_at from marts.listing_now where listing = 'property_1'`,
    );
    expect(now).toEqual({ host: property1, moved_at: expect.any(Date) });
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

  describe.each([
    ['does not answer at all', { faults: [{ kind: 'reset', host: property1Old }] }],
    ['is gone', { goneHosts: [property1Old] }],
  ] satisfies [string, SimulatorChange][])('when the old host %s', (_, change) => {
    const moved = async () =>
      rowsOf(
        database.db,
        `select to_host from ops.listing_move where listing = 'property_1' and rolled_back_at is null`,
      );

    test('a smaller plan on the new host stops the move; one line explains it and what to do', async () => {
      simulator.change({ ...change, monthlyQuota: 200 });
      const { code, stdout, stderr } = await migrate('property-1');
      expect([code, stdout]).toEqual([1, expect.stringContaining('property-1 stays at property-1-old.simulator.')]);
      expect(stderr.split('\n').filter((line) => line.includes('smaller plan'))).toEqual([
        'The new host allows 200 requests a month, the old one 500: it has a smaller plan. ' +
          'Subscribe to the same plan there first.',
      ]);
      expect(stderr).toMatch(
        /The listing was not moved. Check the differences; `--despite-differences` moves it all the same/,
      );
      expect([await hostOf('property_1'), await moved()]).toEqual([property1Old, []]);

      const json = await migrate('property-1', '--json', '--dry-run');
      expect([json.code, JSON.parse(json.stdout)]).toMatchObject([
        1,
        { switched: false, old_host_gone: true, plan: 'lower', requests_a_month: { old: null, new: 200 } },
      ]);
    });

    test('a smaller quota in the headers stops the move if no variable sets the quota', async () => {
      await probe('2026-07-10T11:00:00Z');
      simulator.change({ ...change, monthlyQuota: 200 });
      const { PROPERTY_1_MONTHLY_QUOTA: _told, ...untold } = env;
      const { code, stderr } = await run(
        ['--now', '2026-07-10T12:00:00Z', 'listings', 'migrate', 'property-1', '--dry-run'],
        untold,
      );
      expect([code, stderr]).toEqual([1, expect.stringContaining('the old one 500: it has a smaller plan')]);
    });

    test("the old host's plan is compared without the bonus of the new listing", async () => {
      const promised = { ...env, PROPERTY_1_BONUS_REQUESTS: '200', PROPERTY_1_SUBSCRIBED_ON: '2026-07-01' };
      const compared = async (monthlyQuota: number) => {
        simulator.change({ ...change, monthlyQuota });
        const { stdout } = await run(
          ['--now', '2026-07-10T12:00:00Z', 'listings', 'migrate', 'property-1', '--dry-run', '--json'],
          promised,
        );
        return JSON.parse(stdout).plan;
      };
      expect([await compared(500), await compared(700), await compared(400)]).toEqual(['same', 'higher', 'lower']);
    });

    test('an equal plan allows the move, and a smaller one on explicit request', async () => {
      simulator.change(change);
      expect((await migrate('property-1', '--dry-run')).code).toBe(0);
      simulator.change({ monthlyQuota: 200 });
      const { code, stdout } = await migrate('property-1', '--despite-differences');
      expect([code, stdout]).toEqual([
        0,
        expect.stringContaining('All processes now use property-1.simulator for property-1'),
      ]);
      expect((await migrate('property-1', '--back')).code).toBe(0);
      expect([await hostOf('property_1'), await moved()]).toEqual([property1Old, []]);
    });
  });

  test('after the move: without the old host, the new one is checked by its own responses and used', async () => {
    simulator.change({ migrated: true });
    await probe('2026-07-21T12:00:00Z');
    const before = await run(['--now', '2026-07-21T12:00:00Z', 'listings'], env);
    expect(before.stderr).toMatch(
      /property-2-old\.simulator is its old host, which had to be left by 2026-05-12, 70 days ago/,
    );

    const { code, stdout, stderr } = await migrate('property-2');
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('no longer accepts this key: only the new host was checked'),
    ]);
    expect(stdout).toContain('Not compared: 2 requests went to the new host alone;');
    expect(stdout).not.toContain('No difference');
    expect(stderr).toMatch(/it is billed until you unsubscribe/);
    expect(stderr).toMatch(/Refund of the old plan's month, on request/);
    expect(await hostOf('property_2')).toBe(property2);
    simulator.resetLog();
    await probe('2026-07-22T12:00:00Z');
    expect(simulator.log().byHost[property2]).toBe(1);
  });

  test('an unknown host can be confirmed as the current one', async () => {
    const unknown = { ...env, PROPERTY_1_HOST: 'homes.example' };
    const late = ['--now', '2026-07-21T12:00:00Z'];
    const doubt = /its old host had to be left by 2026-07-20, 1 day ago.*--current/;
    expect((await run([...late, 'listings'], unknown)).stderr).toMatch(doubt);
    expect((await run([...late, 'doctor'], unknown)).stdout).toMatch(doubt);

    const confirmed = await run([...late, 'listings', 'migrate', 'property-1', '--current'], unknown);
    expect([confirmed.code, confirmed.stdout]).toEqual([
      0,
      'homes.example counts as the current host of property-1.\n',
    ]);
    expect((await run([...late, 'listings'], unknown)).stderr).not.toContain('2026-07-20');
    expect((await run([...late, 'doctor'], unknown)).stdout).not.toContain('2026-07-20');
    expect((await migrate('property-1', '--current', '--back')).code).toBe(2);
    expect((await migrate('property-1', '--current')).stderr).toContain('is known as its old host');
  });

  test('an unconfigured listing and an unknown host are reported in one line', async () => {
    const stores = await migrate('stores');
    expect([stores.code, stores.stderr]).toEqual([1, expect.stringMatching(/it is not configured.*STORES_HOST/)]);
    expect((await run(['listings', 'migrate'], env)).code).toBe(2);
    expect((await migrate('grocery', '--to', 'not a host')).code).toBe(2);
    expect((await migrate('grocery', '--to', 'http://gateway.example')).stderr).toContain('must begin with https://');
  });
});
