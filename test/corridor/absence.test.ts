import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import {
  createSmallUpstream,
  type Shelves,
  type SmallUpstream,
  type SmallUpstreamOptions,
} from '../support/small-upstream.ts';

const bread = { id: '101', price: 1.2 };
const milk = { id: '102', price: 0.95 };
const apples = { id: '103', price: 2 };
const pears = { id: '104', price: 2.5 };
const everything: Shelves = { Bakery: [bread, milk], 'Fresh Food': [apples, pears] };
const withoutPears: Shelves = { Bakery: [bread, milk], 'Fresh Food': [apples] };

describe('a product that is not seen', () => {
  let upstream: SmallUpstream;
  const installation = useInstallation();
  beforeEach(async () => {
    upstream ??= await createSmallUpstream({ shelves: everything });
    await forgetEverything(installation.db);
  });
  afterAll(() => upstream?.close());

  test('by one certified night is absent, by two in a row delisted, and comes back when it is seen again', async () => {
    await night('2026-06-01', everything);
    await night('2026-06-02', withoutPears);
    expect(await spellsOf('104')).toEqual(['available 2026-06-01..2026-06-02', 'absent 2026-06-02..']);
    await night('2026-06-03', withoutPears);
    await night('2026-06-04', withoutPears);
    expect(await spellsOf('104')).toEqual([
      'available 2026-06-01..2026-06-02',
      'absent 2026-06-02..2026-06-03',
      'delisted 2026-06-03..',
    ]);
    expect(await listedOn('2026-06-03')).toEqual(['101', '102', '103']);
    await night('2026-06-05', everything);
    expect((await spellsOf('104')).slice(2)).toEqual(['delisted 2026-06-03..2026-06-05', 'available 2026-06-05..']);
    expect(await spellsOf('101')).toEqual(['available 2026-06-01..']);
    expect(await listedOn('2026-06-01')).toEqual(['101', '102', '103', '104']);
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  test('by one certified night is delisted where one is enough, and every promise is kept', async () => {
    await night('2026-06-01', everything);
    await night('2026-06-02', withoutPears, {}, { DELIST_AFTER: '1' });
    expect((await spellsOf('104')).at(-1)).toBe('delisted 2026-06-02..');
    // Whatever it is set to later.
    await night('2026-06-03', withoutPears);
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  test('comes back with another price, and the night of its absence keeps none', async () => {
    await night('2026-06-01', everything);
    await night('2026-06-02', withoutPears);
    await night('2026-06-03', { ...everything, 'Fresh Food': [apples, { ...pears, price: 3 }] });
    expect(await spellsOf('104')).toEqual([
      'available 2026-06-01..2026-06-02',
      'absent 2026-06-02..2026-06-03',
      'available 2026-06-03..',
    ]);
    const prices = await rowsOf(
      installation.db,
      `select snapshot_date::text as date, price::text from marts.fct_price_daily where product_id = '104' order by 1`,
    );
    expect(prices).toEqual([
      { date: '2026-06-01', price: '2.50' },
      { date: '2026-06-03', price: '3.00' },
    ]);
  });

  test('is nothing to a night that did not see everything', async () => {
    await night('2026-06-01', everything);
    const [run] = await night('2026-06-02', withoutPears, {
      declared: (path, total) => total + (path === 'Bakery' ? 1 : 0),
    });
    expect(run!.verdict).toBe('partial');
    const [certificate] = await rowsOf(installation.db, 'select reasons from ops.certificate where run_id = $1', [
      run!.runId,
    ]);
    expect(certificate).toEqual({ reasons: ['Bakery: 2 of 3 declared products seen'] });
    expect(await spellsOf('104')).toEqual(['available 2026-06-01..']);
    expect(await listedOn('2026-06-02')).toEqual(['101', '102', '103', '104']);
  });

  test('is not delisted sooner by an uncertified night or by crawling a night twice', async () => {
    await night('2026-06-01', everything);
    await night('2026-06-02', withoutPears);
    await night('2026-06-02', withoutPears);
    expect((await spellsOf('104')).at(-1)).toBe('absent 2026-06-02..');
    await night('2026-06-03', withoutPears, { declared: (_, total) => total + 1 });
    expect((await spellsOf('104')).at(-1)).toBe('absent 2026-06-02..');
    await night('2026-06-04', withoutPears);
    expect((await spellsOf('104')).at(-1)).toBe('delisted 2026-06-04..');
  });

  test('that a later crawl of the same night does see is listed that night', async () => {
    await night('2026-06-01', everything);
    await night('2026-06-02', withoutPears);
    await night('2026-06-02', everything);
    expect(await listedOn('2026-06-02')).toEqual(['101', '102', '103', '104']);
    expect((await spellsOf('104')).at(-1)).toBe('available 2026-06-02..');
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  test('on a page that cannot be read makes the night partial, with the reason, and nothing absent', async () => {
    await night('2026-06-01', everything);
    const [run] = await night('2026-06-02', everything, {
      page: ({ path }, products) => (path === 'Bakery' ? [] : products),
    });
    expect(run!.verdict).toBe('partial');
    const [certificate] = await rowsOf<{ reasons: string[] }>(
      installation.db,
      'select reasons from ops.certificate where run_id = $1',
      [run!.runId],
    );
    expect(certificate!.reasons).toEqual(['Bakery: 0 of 2 declared products seen']);
    expect(await listedOn('2026-06-02')).toEqual(['101', '102', '103', '104']);
  });

  test('because the taxonomy came back empty is not gone', async () => {
    await night('2026-06-01', everything);
    const [run] = await night('2026-06-02', {});
    expect(run!.verdict).toBe('partial');
    expect(await listedOn('2026-06-02')).toEqual(['101', '102', '103', '104']);
  });

  function night(
    date: string,
    shelves: Shelves,
    distortion: Partial<SmallUpstreamOptions> = {},
    env: Readonly<Record<string, string>> = {},
  ) {
    upstream.change({ shelves, declared: (_, total) => total, page: (_, products) => products, ...distortion });
    return crawlNight({ installation, upstream: upstream.url, now: nightOf(date), regions: ['uk'], env, again: true });
  }

  async function spellsOf(productId: string): Promise<string[]> {
    const rows = await rowsOf<{ spell: string }>(
      installation.db,
      `select availability || ' ' || h.valid_from::date || '..' || coalesce(h.valid_to::date::text, '') as spell
       from catalog.availability_history h join catalog.product using (product_key) where product_id = $1 order by h.valid_from`,
      [productId],
    );
    return rows.map(({ spell }) => spell);
  }

  async function listedOn(date: string): Promise<string[]> {
    const rows = await rowsOf<{ product_id: string }>(
      installation.db,
      'select product_id from marts.as_of($1, $2) order by product_id',
      ['uk', date],
    );
    return rows.map(({ product_id }) => product_id);
  }
});
