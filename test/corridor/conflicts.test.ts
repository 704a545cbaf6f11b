import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Run } from '../../src/crawl/ledger/runs.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { decodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { physicalDump } from '../support/dump.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import {
  createSmallUpstream,
  type Shelves,
  type SmallUpstream,
  type SmallUpstreamOptions,
} from '../support/small-upstream.ts';
import { knownProducts } from '../support/truth.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

const inBakery = { id: '201', price: 1.5, breadcrumb: ['Bakery', 'Bread'] };
const dearer = { ...inBakery, price: 1.75 };
const dearest = { ...inBakery, price: 2 };
/** Category ids are compared in byte order: this is their order. */
const first = 'Bakery';
const second = 'Drinks';
const third = 'Frozen';

const installation = useInstallation();

/** Each test continues with the database of the previous one. */
describe('a product that several categories list', () => {
  let upstream: SmallUpstream;
  beforeAll(async () => {
    upstream = await createSmallUpstream({ shelves: {} });
  });
  afterAll(() => upstream?.close());

  const listed = (id: string, ...breadcrumb: readonly string[]) => ({ id, price: 2, breadcrumb });
  const [staying, leavingPicnic, leavingGrill] = ['301', '302', '303'] as const;
  /** Their breadcrumb depends on the category that lists them. */
  const onGrill = [staying, leavingPicnic, leavingGrill].map((id) => listed(id, 'Garden', 'Grill'));
  const inPicnic = [staying, leavingPicnic, leavingGrill].map((id) => listed(id, 'Summer', 'Picnic'));
  const others = { Cakes: [{ id: '311', price: 1 }], Tea: [{ id: '312', price: 1 }] };
  const before: Shelves = { ...others, 'Garden|Grill': onGrill, 'Summer|Picnic': inPicnic };
  const after: Shelves = {
    ...others,
    'Garden|Grill': onGrill.filter(({ id }) => id !== leavingGrill),
    'Summer|Picnic': inPicnic.filter(({ id }) => id !== leavingPicnic),
  };
  const everywhere = ['Garden', 'Garden|Grill', 'Summer', 'Summer|Picnic'];

  test('a product is stored as in its first category by id, in any order of responses', async () => {
    await night('2026-07-01', { [second]: [dearer], [`${first}|Bread`]: [inBakery], [third]: [dearest], ...before });
    expect(await pricesOf('201')).toEqual(['1.50 2026-07-01..']);
  });

  test('a product whose breadcrumb depends on the category belongs to the deepest category of each', async () => {
    expect(await categoriesOf(staying, '2026-07-01')).toEqual(everywhere);
  });

  test('a product in several categories does not alternate on later nights', async () => {
    await expectNothingNew('2026-07-02', {
      ...before,
      [third]: [dearest],
      [second]: [dearer],
      [`${first}|Bread`]: [inBakery],
    });
  });

  test('an unreadable category removes the product from no category', async () => {
    const shelves = { ...before, [`${first}|Bread`]: [inBakery], [second]: [dearer], [third]: [dearest] };
    const short = await night('2026-07-03', shelves, {
      declared: (path, total) => total + (path === 'Garden' ? 1 : 0),
    });
    expect(short.verdict).toBe('partial');
    const blind = await night('2026-07-04', shelves, {
      page: ({ path }, products) => (path.startsWith('Garden') ? [] : products),
    });
    expect(blind.verdict).toBe('partial');
    for (const id of [staying, leavingPicnic, leavingGrill])
      expect(await categoriesOf(id, '2026-07-04')).toEqual(everywhere);
    expect(await pricesOf('201')).toEqual(['1.50 2026-07-01..']);
  });

  const changed = { [`${first}|Bread`]: [dearest], [second]: [dearer], [third]: [inBakery] };

  test('the product changes when the first category changes, whatever the others contain', async () => {
    const { verdict } = await night('2026-07-05', { ...changed, ...after });
    expect(verdict).toBe('complete');
    expect(await pricesOf('201')).toEqual(['1.50 2026-07-01..2026-07-05', '2.00 2026-07-05..']);
  });

  test('the product leaves the category that no longer lists it', async () => {
    expect(await categoriesOf(staying, '2026-07-05')).toEqual(everywhere);
    expect(await categoriesOf(leavingPicnic, '2026-07-05')).toEqual(['Garden', 'Garden|Grill']);
    expect(await categoriesOf(leavingGrill, '2026-07-05')).toEqual(['Summer', 'Summer|Picnic']);
    await expectNothingNew('2026-07-06', { ...after, ...changed });
  });

  test('a product that all its categories show alike belongs to all of them', async () => {
    await night('2026-07-07', { ...after, [`${first}|Bread`]: [dearest], [second]: [dearest], [third]: [dearest] });
    expect(await categoriesOf('201', '2026-07-07')).toEqual([first, `${first}|Bread`, second, third]);
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  async function night(date: string, shelves: Shelves, change: Partial<SmallUpstreamOptions> = {}): Promise<Run> {
    upstream.change({ declared: (_, total) => total, page: (_, products) => products, ...change, shelves });
    const [run] = await crawlDirectly({ installation, upstream: upstream.url, date, regions: ['uk'] });
    return run!;
  }

  async function expectNothingNew(date: string, shelves: Shelves): Promise<void> {
    const held = await physicalDump(installation.db);
    const { verdict } = await night(date, shelves);
    expect(verdict).toBe('complete');
    expect(await physicalDump(installation.db)).toEqual(held);
  }

  async function categoriesOf(productId: string, date: string): Promise<string[]> {
    const known = await knownProducts(installation.db, 'uk', date);
    return known
      .get(productId)!
      .categories.map((id) => decodeCategoryId(id)!.join('|'))
      .sort();
  }

  async function pricesOf(productId: string): Promise<string[]> {
    const rows = await rowsOf<{ spell: string }>(
      installation.db,
      `select (h.price_minor * 0.01)::numeric(9,2) || ' ' || h.valid_from::date || '..'
         || coalesce(h.valid_to::date::text, '') as spell
       from catalog.price_spell h join catalog.product using (product_key) where product_id = $1 order by h.valid_from`,
      [productId],
    );
    return rows.map(({ spell }) => spell);
  }
});
