import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Run } from '../../src/crawl/run/runs.ts';
import { rowsOf } from '../../src/db/rows.ts';
import type { Reason } from '../../src/db/tables/index.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import {
  createSmallUpstream,
  type Shelves,
  type SmallProduct,
  type SmallUpstream,
  type SmallUpstreamOptions,
} from '../support/small-upstream.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

const bread = { id: '101', price: 1.2 };
const milk = { id: '102', price: 0.95 };
const apples = { id: '103', price: 2 };
const pears = { id: '104', price: 2.5 };
const grapes = { id: '105', price: 3 };
const lemons = { id: '106', price: 0.4 };
const plums = { id: '107', price: 1.5 };
const fruit = [apples, pears, grapes, lemons, plums];
const showing = (shown: readonly SmallProduct[]): Shelves => ({ Bakery: [bread, milk], 'Fresh Food': shown });
const without = (...gone: readonly SmallProduct[]) => showing(fruit.filter((product) => !gone.includes(product)));

/** Each test continues with the database of the previous one, with its own products. */
describe('a product that is not seen', () => {
  const installation = useInstallation();
  let upstream: SmallUpstream;
  beforeAll(async () => {
    upstream = await createSmallUpstream({ shelves: {} });
    await night('2026-06-01', without());
  });
  afterAll(() => upstream?.close());

  test('a product seen by a later crawl of the same night is listed that night', async () => {
    await night('2026-06-02', without(pears, grapes));
    expect(await listedOn('2026-06-02')).toEqual(['101', '102', '103', '106', '107']);
    await night('2026-06-02', without(pears));
    expect(await listedOn('2026-06-02')).toEqual(['101', '102', '103', '105', '106', '107']);
    expect((await spellsOf('105')).at(-1)).toBe('available 2026-06-02..');
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  test('an incomplete night does not change an unseen product', async () => {
    const run = await night('2026-06-03', without(pears, lemons), {
      declared: (path, total) => total + (path === 'Bakery' ? 1 : 0),
    });
    expect(run.verdict).toBe('partial');
    expect(await reasonsOf(run)).toEqual([{ code: 'category_short', path: 'Bakery', figures: [2, 3, 0] }]);
    expect(await spellsOf('106')).toEqual(['available 2026-06-01..']);
    expect(await listedOn('2026-06-03')).toEqual(['101', '102', '103', '105', '106', '107']);
  });

  test('an empty taxonomy makes no product absent', async () => {
    const run = await night('2026-06-05', {});
    expect(run.verdict).toBe('partial');
    expect(await listedOn('2026-06-05')).toEqual(['101', '102', '103', '105', '106', '107']);
  });

  test('two certified nights delist a product, however many uncertified or repeated ones are between', async () => {
    expect((await spellsOf('104')).at(-1)).toBe('absent 2026-06-02..');
    await night('2026-06-06', without(pears, plums));
    expect((await spellsOf('104')).at(-1)).toBe('delisted 2026-06-06..');
  });

  test('with DELIST_AFTER=1 one certified night delists a product, and all invariants hold', async () => {
    await night('2026-06-07', showing([apples, lemons, { ...plums, price: 3 }]), {}, { DELIST_AFTER: '1' });
    expect((await spellsOf('105')).at(-1)).toBe('delisted 2026-06-07..');
  });

  test('a product may return with another price, and the night of its absence has none', async () => {
    // The grapes stay delisted even if DELIST_AFTER changes later.
    await night('2026-06-08', showing([apples, pears, lemons, { ...plums, price: 3 }]));
    expect((await spellsOf('104')).slice(-2)).toEqual(['delisted 2026-06-06..2026-06-08', 'available 2026-06-08..']);
    expect(await spellsOf('107')).toEqual([
      'available 2026-06-01..2026-06-06',
      'absent 2026-06-06..2026-06-07',
      'available 2026-06-07..',
    ]);
    // A return is not a change of price.
    expect(await rowsOf(installation.db, 'select from marts.fct_price_change')).toEqual([]);
    const prices = await rowsOf(
      installation.db,
      `select snapshot_date::text as date, price::text from marts.fct_price_daily where product_id = '107' order by 1`,
    );
    expect(prices).toEqual([
      { date: '2026-06-01', price: '1.50' },
      { date: '2026-06-02', price: '1.50' },
      { date: '2026-06-07', price: '3.00' },
      { date: '2026-06-08', price: '3.00' },
    ]);
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  test('nights on which a category is uncertain do not count towards delisting', async () => {
    const many = Array.from({ length: 150 }, (_, i) => ({ id: String(2_000 + i) }));
    const peas = { id: '108' };
    // It cannot be parsed, so that the peas may be it.
    const nameless = { id: '399', fields: { id: { no: 399 } } };
    const frozen = (date: string, ...others: readonly SmallProduct[]) =>
      night(date, { ...showing([apples]), Frozen: [...many, ...others] }, {}, { DELIST_AFTER: '3' });
    await frozen('2026-06-09', peas);
    await frozen('2026-06-10');
    const uncertain = await frozen('2026-06-11', nameless);
    expect(uncertain.verdict).toBe('complete_within_tolerance');
    await frozen('2026-06-12');
    expect((await spellsOf('108')).at(-1)).toBe('absent 2026-06-10..');
    await frozen('2026-06-13');
    expect((await spellsOf('108')).at(-1)).toBe('delisted 2026-06-13..');
  });

  async function night(
    date: string,
    shelves: Shelves,
    distortion: Partial<SmallUpstreamOptions> = {},
    env: Readonly<Record<string, string>> = {},
  ): Promise<Run> {
    upstream.change({ shelves, declared: (_, total) => total, page: (_, products) => products, ...distortion });
    const [run] = await crawlDirectly({ installation, upstream: upstream.url, date, regions: ['uk'], env });
    return run!;
  }

  async function reasonsOf({ runId }: Run): Promise<readonly Reason[]> {
    const [certificate] = await rowsOf<{ reasons: readonly Reason[] }>(
      installation.db,
      'select reasons from ops.certificate where run_id = $1',
      [runId],
    );
    return certificate!.reasons;
  }

  async function spellsOf(productId: string): Promise<string[]> {
    const rows = await rowsOf<{ spell: string }>(
      installation.db,
      `select availability || ' ' || h.valid_from::date || '..' || coalesce(h.valid_to::date::text, '') as spell
       from catalog.availability_spell h
       join catalog.product using (product_key)
       where product_id = $1
       order by h.valid_from`,
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
