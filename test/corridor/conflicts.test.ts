import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Run } from '../../src/crawl/run/runs.ts';
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

const listed = (id: string, ...breadcrumb: readonly string[]) => ({ id, price: 2, breadcrumb });
const [staying, leavingPicnic, leavingGrill] = ['301', '302', '303'] as const;
/** Their breadcrumb depends on the category that lists them. */
const onGrill = [staying, leavingPicnic, leavingGrill].map((id) => listed(id, 'Garden', 'Grill'));
const inPicnic = [staying, leavingPicnic, leavingGrill].map((id) => listed(id, 'Summer', 'Picnic'));
const alike = { id: '201', price: 2, breadcrumb: ['Bakery', 'Bread'] };
const others = { Cakes: [{ id: '311', price: 1 }], 'Bakery|Bread': [alike], Drinks: [alike] };
const before: Shelves = { ...others, 'Garden|Grill': onGrill, 'Summer|Picnic': inPicnic };
const after: Shelves = {
  ...others,
  'Garden|Grill': onGrill.filter(({ id }) => id !== leavingGrill),
  'Summer|Picnic': inPicnic.filter(({ id }) => id !== leavingPicnic),
};
const everywhere = ['Garden', 'Garden|Grill', 'Summer', 'Summer|Picnic'];

/** Each test continues with the database of the previous one. */
describe('a product that several categories list', () => {
  const installation = useInstallation();
  let upstream: SmallUpstream;
  beforeAll(async () => {
    upstream = await createSmallUpstream({ shelves: {} });
  });
  afterAll(() => upstream?.close());

  test('a product belongs to the categories of each of its breadcrumbs, and to all that show it alike', async () => {
    await night('2026-07-01', before);
    expect(await categoriesOf(staying, '2026-07-01')).toEqual(everywhere);
    expect(await categoriesOf('201', '2026-07-01')).toEqual(['Bakery', 'Bakery|Bread', 'Drinks']);
    await expectNothingNew('2026-07-02', before);
  });

  test('an unreadable category removes the product from no category', async () => {
    const short = await night('2026-07-03', before, {
      declared: (path, total) => total + (path === 'Garden' ? 1 : 0),
    });
    expect(short.verdict).toBe('partial');
    const blind = await night('2026-07-04', before, {
      page: ({ path }, products) => (path.startsWith('Garden') ? [] : products),
    });
    expect(blind.verdict).toBe('partial');
    for (const id of [staying, leavingPicnic, leavingGrill])
      expect(await categoriesOf(id, '2026-07-04')).toEqual(everywhere);
  });

  test('the product leaves the category that no longer lists it', async () => {
    expect((await night('2026-07-05', after)).verdict).toBe('complete');
    expect(await categoriesOf(staying, '2026-07-05')).toEqual(everywhere);
    expect(await categoriesOf(leavingPicnic, '2026-07-05')).toEqual(['Garden', 'Garden|Grill']);
    expect(await categoriesOf(leavingGrill, '2026-07-05')).toEqual(['Summer', 'Summer|Picnic']);
    await expectNothingNew('2026-07-06', after);
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
});
