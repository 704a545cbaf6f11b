import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoreRefresh } from '../../src/crawl/ledger/store-refreshes.ts';
import { openStoreRefresh } from '../../src/crawl/open-store-refresh.ts';
import { refreshStores } from '../../src/crawl/refresh-stores.ts';
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

  /** Refreshes the stores as a worker or command does, on a date. */
  const refresh = (
    date: string,
    {
      change = {},
      areas = wales,
      kill,
    }: { change?: SimulatorChange; areas?: string | null; kill?: AbortController } = {},
  ): Promise<StoreRefresh> => {
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
      const { refreshId } = (await openStoreRefresh(context, 'command'))!;
      await context.stores.pause(refreshId, null, null);
      await refreshStores(context, refreshId, kill?.signal ?? signal, { onProgress: () => kill?.abort() });
      return (await context.stores.byId(refreshId))!;
    });
  };

  it('all 3,000 stores of Great Britain and Ireland are found with few requests', async () => {
    const done = await refresh('2026-03-02', { areas: null });
    expect(done).toMatchObject({
      status: 'published',
      verdict: 'complete',
      storesSeen: 3_000,
      storesNew: 3_000,
      storesGone: 0,
    });
    expect(done.circles).toBeLessThanOrEqual(12);
    expect(await known()).toEqual(open().sort());
    expect(
      await ask(
        `select certificate, stores_seen, round(distance_per_mile::numeric, 2)::float8 as unit
         from marts.store_refresh`,
      ),
    ).toEqual([{ certificate: 'complete', stores_seen: 3_000, unit: 1 }]);
  });

  it('every field of a store is stored, with hours in its time zone', async () => {
    const [shown] = simulator.stores();
    const { storeId, curbsideHours, ...rest } = shown! as never as Record<string, Record<string, string>> & {
      storeId: string;
    };
    const [kept] = await ask('select * from marts.dim_store where store_id = $1', [storeId]);
    const of = (name: string) => ((rest[name] as unknown) === '' ? null : rest[name]);
    expect(kept).toMatchObject({
      display_name: of('displayName'),
      store_type: of('storeType'),
      latitude: of('latitude'),
      longitude: of('longitude'),
      email: of('email'),
      is_bopisable: of('isBopisable'),
      is_ropisable: of('isRopisable'),
      is_curbside_enabled: of('isCurbsideEnabled'),
      is_concierge_curbside_enabled: of('isConciergeCurbsideEnabled'),
      is_no_show_fee_applicable: of('isNoShowFeeApplicable'),
      is_online_reservation_enabled: of('isOnlineReservationEnabled'),
      is_virtual: of('isVirtual'),
      reservation_system: of('reservationSystem'),
      reservation_url: of('reservationUrl'),
      address1: rest['address']!['address1'],
      address2: null,
      city: rest['address']!['city'],
      state: rest['address']!['state'] || null,
      postal_code: rest['address']!['postalCode'],
      country: rest['address']!['country'],
      region: rest['address']!['country'] === 'GB' ? 'uk' : 'ie',
      phone: rest['address']!['phone'],
      cross_street: null,
      fax: null,
      mall_name: rest['address']!['mallName'] || null,
      closed_days: curbsideHours!['closedDays'] || null,
      text_color: 'black',
      time_zone: 'Europe/London',
      gone_at: null,
    });
    const late = simulator.stores().find((store) => store.curbsideHours['sundayHours'] === '12:00PM-12:00AM')!;
    const [sunday] = await ask('select * from marts.dim_store_hours where store_id = $1 and weekday = 7', [
      late.storeId,
    ]);
    expect(sunday).toEqual({
      store_id: late.storeId,
      weekday: 7,
      weekday_name: 'Sunday',
      opens: '12:00:00',
      closes: '00:00:00',
      closes_next_day: false,
      minutes_open: 720,
      is_closed: false,
      time_zone: late.curbsideHours['timeZone'],
      printed: '12:00PM-12:00AM',
    });
  });

  it('an unchanged refresh writes nothing and repeats the last sufficient requests', async () => {
    const before = await ask('select circles from marts.store_refresh order by refresh_id desc limit 1');
    const versions = 'select xmin::text, store_id from catalog.store order by store_id';
    const rows = await ask(versions);
    const done = await refresh('2026-03-09', { areas: null });
    expect(done).toMatchObject({ verdict: 'complete', storesNew: 0, storesChanged: 0, storesGone: 0 });
    expect(done.circles).toBeLessThan(before[0]!['circles']);
    expect(await ask(versions)).toEqual(rows);
  });

  it('changed hours and closed stores are kept in history', async () => {
    const done = await refresh('2026-03-16', { change: { storesChanged: 0.1, storesClosed: 0.02 } });
    const gone = inWales().length;
    simulator.change({ storesClosed: 0 });
    expect(done).toMatchObject({ verdict: 'complete', storesNew: 0, storesGone: inWales().length - gone });
    expect(done.storesGone).toBeGreaterThan(0);
    expect(done.storesChanged).toBeGreaterThan(10);
    const spells = `select count(*)::int as n
      from marts.fct_store_spell
      where valid_from <= $1 and (valid_to is null or valid_to > $1)`;
    expect(await ask(spells, [nightOf('2026-03-10')])).toEqual([{ n: 3_000 }]);
    expect(await ask(spells, [nightOf('2026-03-17')])).toEqual([{ n: 3_000 - done.storesGone! }]);
    expect(
      await ask(`select count(*)::int as n from marts.dim_store where closed_days = 'Closed on 1 January'`),
    ).toEqual([{ n: done.storesChanged }]);
  });

  it('a store that returns is opened again with a gap in its history', async () => {
    const [first] = await ask('select store_id from marts.dim_store where gone_at is not null order by 1 limit 1');
    await refresh('2026-03-23');
    const spells = `select valid_from::date::text as valid_from, valid_to::date::text as valid_to
      from marts.fct_store_spell
      where store_id = $1
      order by 1`;
    expect(await ask(spells, [first!['store_id']])).toEqual([
      { valid_from: '2026-03-02', valid_to: '2026-03-16' },
      { valid_from: '2026-03-23', valid_to: null },
    ]);
  });

  it('a large loss of stores counts only if the next refresh confirms it', async () => {
    const change = { storesClosed: 0.3 };
    const doubted = await refresh('2026-03-30', { change });
    const reasons = [expect.stringContaining('known stores were not found')];
    expect(doubted).toMatchObject({ verdict: 'partial', storesGone: 0, reasons });
    const believed = await refresh('2026-04-06', { change });
    const left = inWales().length;
    await refresh('2026-04-13');
    expect(believed).toMatchObject({ verdict: 'complete', storesGone: inWales().length - left });
    expect(await known()).toHaveLength(3_000);
  });

  it('stores outside the searched areas are not closed', async () => {
    const done = await refresh('2026-04-20', { areas: anglesey });
    expect(done).toMatchObject({ verdict: 'complete', storesGone: 0 });
    expect(done.storesSeen).toBeLessThan(100);
    expect(await known()).toHaveLength(3_000);
  });

  it('all stores are found with responses limited to 50 stores and 60 miles, also after a kill', async () => {
    const change = { storeCap: 50, storeRadiusCap: 60 };
    const cutOff = await refresh('2026-04-27', { change, kill: new AbortController() });
    expect(cutOff.status).toBe('open');
    const done = await refresh('2026-04-27', { change });
    expect(done).toMatchObject({ refreshId: cutOff.refreshId, verdict: 'complete', storesGone: 0 });
    expect(done.storesSeen).toBeGreaterThanOrEqual(inWales().length);
  });

  it('no store is closed if a part of the area returned no response', async () => {
    const faults: FaultRule[] = [{ kind: 'vendor400', endpoint: 'store-list', every: 3 }];
    const done = await refresh('2026-05-04', { areas: anglesey, change: { storesClosed: 0.3, faults } });
    expect(done).toMatchObject({ verdict: 'partial', reasons: [expect.stringContaining('no complete answer')] });
    expect(await known()).toHaveLength(3_000);
  });
});
