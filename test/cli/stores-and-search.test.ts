import { afterAll, describe, expect, test } from 'vitest';
import { createSimulator } from '../../src/simulator/index.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { lengthenStops } from '../support/stops.ts';
import { useCliHome } from './pricebook.ts';

const book = useInstallation();
const { run } = useCliHome({ book });
const simulator = await createSimulator({ items: 120, superDepartments: 2, date: '2026-03-02' });
afterAll(() => simulator.close());

const pricebook = (...args: string[]) =>
  run(['--now', '2026-03-02T04:00:00Z', ...args], {
    GROCERY_BASE_URL: simulator.url,
    STORES_BASE_URL: simulator.url,
    STORES_KEY: 'stores-key',
    STORE_AREAS: '52.9,-4.8,53.5,-3.6',
  });
const asked = (endpoint: string) =>
  Object.values(simulator.log().byEndpoint[endpoint] ?? {}).reduce((total, count) => total + count, 0);

describe('pricebook stores', () => {
  test('--refresh searches the locator once, reports the result, and all commands list the stores', async () => {
    const refreshed = await pricebook('stores', '--refresh');
    expect(refreshed.code, refreshed.stderr).toBe(0);
    const [, seen = '', isNew = ''] =
      /Stores seen: (\d+), new: (\d+), changed: 0, gone: 0 \(\d+ requests\); complete\./.exec(refreshed.stderr) ?? [];
    expect(Number(seen)).toBeGreaterThan(3);
    expect(isNew).toBe(seen);
    const before = simulator.log().requests;

    const { version, rows } = JSON.parse((await pricebook('stores', '--json')).stdout);
    expect(version).toBe(1);
    expect(rows).toHaveLength(Number(seen));
    expect(simulator.log().requests).toBe(before);
    expect(new Set(rows.map(({ miles }: { miles: unknown }) => miles)), 'from nowhere').toEqual(new Set([null]));
    const [header = '', ...lines] = (await pricebook('stores', '--csv')).stdout.trim().split('\n');
    expect(header).toMatch(/^store_id,display_name,store_type,miles,/);
    for (const line of lines) expect(line).toMatch(/^[^,]+,(?:"[^"]*"|[^,]*),[^,]*,,/);
  });

  test('--near lists stores by distance in miles, limited by --within', async () => {
    const [anywhere] = simulator
      .stores()
      .filter(({ latitude, longitude }) => latitude > 53 && latitude < 53.4 && longitude > -4.6 && longitude < -3.8);
    const { latitude = 0, longitude = 0, storeId = '' } = anywhere ?? {};
    const { near, within, rows } = JSON.parse(
      (await pricebook('stores', '--near', `${latitude},${longitude}`, '--within', '12', '--json')).stdout,
    );
    expect([near, within]).toEqual([{ latitude, longitude }, 12]);
    expect(rows[0]).toMatchObject({ store_id: storeId, miles: '0.00' });
    const miles = rows.map((row: { miles: string }) => Number(row.miles));
    expect(miles).toEqual([...miles].sort((a: number, b: number) => a - b));
    expect(Math.max(...miles)).toBeLessThanOrEqual(12);

    const begun = rows[0].display_name.replaceAll(/(\w{2})\w*/g, '$1').toUpperCase();
    const named = JSON.parse((await pricebook('stores', '--words', begun, '--json')).stdout).rows;
    expect(named).toContainEqual({ ...rows[0], miles: null });
    for (const other of ['--near 0,0', `--words ${rows[0].display_name.slice(1).split(' ')[0]}`])
      expect((await pricebook('stores', ...other.split(' '))).stderr).toContain('No known store matches or lies');
  });

  test.each([
    [['--within', '5'], '--within needs --near LAT,LON.'],
    [['--near', '91,0'], 'It must be a latitude and a longitude in degrees'],
    [['--near', '51.5'], 'It must be a latitude and a longitude in degrees'],
  ])('%j is refused in one line', async (args, said) => {
    const { code, stdout, stderr } = await pricebook('stores', ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(said);
  });

  test('a refresh with a past --now is refused with advice', async () => {
    const { code, stderr } = await pricebook('--now', '2026-03-01T04:00:00Z', 'stores', '--refresh');
    expect(code).toBe(1);
    expect(stderr).toMatch(/refreshed as of 2026-03-02\S+, and earlier.*Give a later time with --now, or omit it\.$/m);
  });

  test("a refresh beyond the key's access reports it and keeps the known stores", async () => {
    const known = (await pricebook('stores', '--csv')).stdout;
    simulator.change({ unsubscribedHosts: ['stores.simulator'] });
    const [{ code, stderr }] = await Promise.all([
      pricebook('--now', '2026-03-09T04:00:00Z', 'stores', '--refresh'),
      lengthenStops(book.db),
    ]);
    expect(code).toBe(78);
    expect(stderr).toMatch(/not subscribed/);
    expect(stderr).not.toContain('    at ');
    simulator.change({ unsubscribedHosts: [] });
    expect((await pricebook('stores', '--csv')).stdout).toBe(known);
  });
});

describe('pricebook search', () => {
  const ranks = async () => (await book.db.query('select * from marts.fct_search_rank order by rank')).rows;
  const saved = async () => (await book.db.query('select distinct keyword from marts.fct_search_rank')).rows;

  test('search shows the ranks for one request and stores nothing by default', async () => {
    const { code, stdout, stderr } = await pricebook('search', 'fresh', '--json');
    expect(code, stderr).toBe(0);
    const { keyword, rows } = JSON.parse(stdout);
    expect(keyword).toBe('fresh');
    expect(rows.map(({ rank }: { rank: number }) => rank)).toEqual(rows.map((_: unknown, index: number) => index + 1));
    expect(asked('product-search-by-keyword')).toBe(1);
    expect(await saved()).toEqual([]);
  });

  test('a search beyond the quota is refused with 75 before a request, and saves nothing', async () => {
    const before = asked('product-search-by-keyword');
    const args = ['--now', '2026-03-02T04:00:00Z', 'search', 'fresh', '--save'];
    const ended = await run(args, { GROCERY_BASE_URL: simulator.url, GROCERY_MONTHLY_QUOTA: '1' });
    expect(ended).toMatchObject({ code: 75, stdout: '', stderr: expect.stringContaining('the monthly quota of 1') });
    expect(asked('product-search-by-keyword')).toBe(before);
    expect(await saved()).toEqual([]);
  });

  test('--save stores the search for its night once', async () => {
    expect((await pricebook('search', 'fresh', '--save')).code).toBe(0);
    expect(await saved()).toEqual([{ keyword: 'fresh' }]);
    const kept = await ranks();
    expect((await pricebook('search', 'fresh', '--save')).code).toBe(0);
    const again = { change_seq: expect.any(Number), updated_at: expect.any(Date) };
    expect(await ranks()).toEqual(kept.map((row) => ({ ...row, ...again })));
  });
});

describe('pricebook product --refresh', () => {
  test('--refresh requests a product by id or address, also during a night', async () => {
    expect((await pricebook('crawl', '--region', 'uk', '--max-details', '0')).code).toBe(0);
    const { rows } = await book.db.query('select product_id from marts.dim_product order by product_id limit 1');
    const id = rows[0]?.['product_id'] as string;
    const before = asked('product-details');
    for (const named of [id, `https://www.example.com/groceries/en-GB/products/${id}`]) {
      const { code, stdout, stderr } = await pricebook('product', 'uk', named, '--refresh', '--json');
      expect(code, stderr).toBe(0);
      expect(JSON.parse(stdout).product).toMatchObject({ product_id: id });
    }
    expect(asked('product-details') - before).toBe(2);
  });
});
