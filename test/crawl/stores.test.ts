import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStores } from '../../src/crawl/run/side-runs.ts';
import { refreshStores } from '../../src/publish/publish-stores.ts';
import { createSimulator, type FaultRule, type Simulator, type SimulatorChange } from '../../src/simulator/index.ts';
import { nightOf, withCrawler } from '../support/crawl.ts';
import { useInstallation } from '../support/queue-backends.ts';

const { signal } = new AbortController();
const wales = '51.3,-5.4,53.5,-2.6';
const anglesey = '52.9,-4.8,53.5,-3.6';

describe('refreshing the stores', () => {
  const installation = useInstallation();
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await createSimulator({ items: 10 });
  });
  afterAll(() => simulator.close());

  const ask = async (text: string, values: unknown[] = []) => (await installation.db.query(text, values)).rows;
  const known = async () =>
    (await ask('select store_id from marts.dim_store where gone_at is null')).map((row) => row['store_id']).sort();
  const open = () => simulator.stores().map(({ storeId }) => storeId);
  const inWales = () => {
    const [south = 0, west = 0, north = 0, east = 0] = wales.split(',').map(Number);
    return simulator
      .stores()
      .filter(
        ({ latitude, longitude }) => south <= latitude && latitude <= north && west <= longitude && longitude <= east,
      )
      .map(({ storeId }) => storeId);
  };

  /** Refreshes the stores as a worker or command does, on a date. Returns null if it is killed meanwhile. */
  const refresh = (
    date: string,
    {
      change = {},
      areas = wales,
      kill,
    }: { change?: SimulatorChange; areas?: string | null; kill?: AbortController } = {},
  ) => {
    simulator.change({ storeCap: 0, storeRadiusCap: 0, storesClosed: 0, storesChanged: 0, faults: [], ...change });
    const env = { STORES_BASE_URL: simulator.url, ...(areas ? { STORE_AREAS: areas } : {}) };
    const options = {
      installation,
      upstream: simulator.url,
      now: nightOf(date),
      env,
      crawler: { jobs: [], firstRestMs: 1 },
    };
    return withCrawler(options, async (_, { context }) => {
      const run = await openStores(context, 'command');
      const asked = simulator.log().total;
      const timer = kill && setInterval(() => simulator.log().total > asked + 3 && kill.abort(), 1);
      const published = await refreshStores(context, run, kill?.signal ?? signal);
      clearInterval(timer);
      return published && { runId: run.runId, ...published };
    });
  };
  const refreshed = async (...given: Parameters<typeof refresh>) => (await refresh(...given))!;

  it('all 3,000 stores of Great Britain and Ireland are found', async () => {
    const done = await refreshed('2026-03-02', { areas: null });
    expect(done).toMatchObject({ verdict: 'complete', storesSeen: 3_000, storesNew: 3_000, storesGone: 0 });
    expect(await known()).toEqual(open().sort());
  });

  it('every field of a store is stored', async () => {
    const [shown] = simulator.stores();
    const { storeId, curbsideHours, distance: _, ...fields } = shown!;
    const { address: given, ...own } = fields as Readonly<Record<string, unknown>>;
    const address = given as Readonly<Record<string, string>>;
    const [kept] = await ask('select * from marts.dim_store where store_id = $1', [storeId]);
    const columnOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const expected = Object.entries({ ...own, ...address }).map(([name, value]) => [
      columnOf(name),
      value === '' ? null : value,
    ]);
    expect(kept).toMatchObject({
      ...Object.fromEntries(expected),
      region: address['country'] === 'GB' ? 'uk' : 'ie',
      closed_days: curbsideHours['closedDays'] || null,
      text_color: 'black',
      time_zone: 'Europe/London',
      gone_at: null,
      curbside_hours: expect.stringMatching(new RegExp(`^Mon ${curbsideHours!['mondayHours']}; Tue .*; Sun `)),
    });
  });

  it('an unchanged refresh writes nothing', async () => {
    const versions = 'select xmin::text, store_id from catalog.store order by store_id';
    const rows = await ask(versions);
    const done = await refreshed('2026-03-09', { areas: null });
    expect(done).toMatchObject({ verdict: 'complete', storesNew: 0, storesChanged: 0, storesGone: 0 });
    expect(await ask(versions)).toEqual(rows);
  });

  it('changed and closed stores are noticed, and closed ones stay', async () => {
    const done = await refreshed('2026-03-16', { change: { storesChanged: 0.1, storesClosed: 0.02 } });
    const gone = inWales().length;
    simulator.change({ storesClosed: 0 });
    expect(done).toMatchObject({ verdict: 'complete', storesNew: 0, storesGone: inWales().length - gone });
    expect(done.storesGone).toBeGreaterThan(0);
    expect(done.storesChanged).toBeGreaterThan(10);
    expect(await known()).toHaveLength(3_000 - done.storesGone);
    expect(
      await ask(`select count(*)::int as n from marts.dim_store where closed_days = 'Closed on 1 January'`),
    ).toEqual([{ n: done.storesChanged }]);
    // Closed ones open again.
    await refresh('2026-03-23');
    expect(await known()).toHaveLength(3_000);
  });

  it('a large loss of stores counts only if the next refresh confirms it', async () => {
    const change = { storesClosed: 0.3 };
    const uncertain = await refreshed('2026-03-30', { change });
    const reasons = [expect.stringContaining('known stores were not found')];
    expect(uncertain).toMatchObject({ verdict: 'partial', storesGone: 0, reasons });
    const believed = await refreshed('2026-04-06', { change });
    const left = inWales().length;
    await refresh('2026-04-13');
    expect(believed).toMatchObject({ verdict: 'complete', storesGone: inWales().length - left });
    expect(await known()).toHaveLength(3_000);
  });

  it('stores outside the searched areas are not closed', async () => {
    const done = await refreshed('2026-04-20', { areas: anglesey });
    expect(done).toMatchObject({ verdict: 'complete', storesGone: 0 });
    expect(done.storesSeen).toBeLessThan(100);
    expect(await known()).toHaveLength(3_000);
  });

  it('all stores are found with responses limited to 50 stores and 60 miles, also after a kill', async () => {
    const change = { storeCap: 50, storeRadiusCap: 60 };
    expect(await refresh('2026-04-27', { change, kill: new AbortController() })).toBeNull();
    const [open] = await ask(`select run_id from ops.run where kind = 'stores' and status = 'open'`);
    const done = await refreshed('2026-04-27', { change });
    expect(done).toMatchObject({ runId: open!['run_id'], verdict: 'complete', storesGone: 0 });
    expect(done.storesSeen).toBeGreaterThanOrEqual(inWales().length);
  });

  it('no store is closed if a part of the area returned no response', async () => {
    const faults: FaultRule[] = [{ kind: 'vendor400', endpoint: 'store-list', every: 3 }];
    const done = await refreshed('2026-05-04', { areas: anglesey, change: { storesClosed: 0.3, faults } });
    expect(done).toMatchObject({ verdict: 'partial', reasons: [expect.stringContaining('without a complete answer')] });
    expect(await known()).toHaveLength(3_000);
  });
});
