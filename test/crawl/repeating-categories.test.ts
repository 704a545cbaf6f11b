import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { encodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { recallEverything, rememberEverything } from '../support/remember-everything.ts';
import {
  createSmallUpstream,
  type SmallProduct,
  type SmallUpstream,
  type SmallUpstreamOptions,
} from '../support/small-upstream.ts';
import { type DirectBook, openDirectBook } from '../trust/direct-book.ts';

const goods = (top: string, from: number): SmallProduct[] =>
  Array.from({ length: 24 }, (_, i) => ({ id: String(from + i), breadcrumb: [top] }));
const bakery = goods('Bakery', 1_000);
const drinks = goods('Drinks', 2_000);
/** Fourteen pages of products of other categories; the last page is not full. */
const offers = [...bakery.slice(0, 22), ...drinks.slice(0, 19)];
const shelves = { Bakery: bakery, Drinks: drinks, Offers: offers };
const missing: SmallProduct = { id: '3000', breadcrumb: ['Bakery'] };
/** What happens to Offers on the nights after the first: sampled, sampled, read. */
const [first, second, third, fourth] = ['2026-04-01', '2026-04-02', '2026-04-03', '2026-04-04'] as const;

describe('a category that only repeats others', () => {
  const installation = useInstallation();
  let upstream: SmallUpstream;
  let book: DirectBook;

  beforeAll(async () => {
    upstream = await createSmallUpstream({ shelves, pageSize: 3 });
    const { databaseUrl, queue } = installation;
    book = await openDirectBook({ upstream: upstream.url, env: { DATABASE_URL: databaseUrl, ...queue } });
    const { verdict, pages } = await night(first);
    expect([verdict, pages.length]).toEqual(['complete', 14]);
    await rememberEverything(book.base.db);
  });
  beforeEach(() => recallEverything(book.base.db));
  afterAll(async () => {
    await book?.close();
    await upstream?.close();
  });

  test('a repeating category is read on two nights of three and complete on each', async () => {
    const asked: number[] = [];
    for (const date of [second, third, fourth]) {
      const { verdict, pages } = await night(date);
      expect(verdict).toBe('complete');
      expect(await membersOfOffers()).toBe(offers.length);
      asked.push(pages.length);
    }
    expect(asked).toEqual([4, 4, 14]);
    expect(await brokenInvariants(book.base.db)).toEqual([]);
  });

  test('a repeating category is read the same night if its total increases', async () => {
    const { verdict, pages } = await night(second, { shelves: { ...shelves, Offers: [...offers, missing] } });
    // Bakery should list it, too.
    expect(verdict).toBe('partial');
    expect(new Set(pages).size).toBe(14);
    expect(await stateOf(missing.id)).toBe('available');
  });

  test('a repeating category is read the same night if a sampled page shows a new product', async () => {
    await night(second, { shelves: { ...shelves, Offers: [missing, ...offers.slice(1)] } });
    expect(await stateOf(missing.id)).toBe('available');
  });

  test('a replaced product in a repeating category is missed for at most two nights', async () => {
    const looked = (await night(second)).pages;
    const unseen = Array.from({ length: 14 }, (_, i) => i + 1).find((page) => !looked.includes(page))!;
    await recallEverything(book.base.db);
    const instead = offers.map((product, i) => (i === (unseen - 1) * 3 ? missing : product));
    const found: (string | null)[] = [];
    for (const date of [second, third, fourth]) {
      await night(date, { shelves: { ...shelves, Offers: instead } });
      found.push(await stateOf(missing.id));
    }
    expect(found.at(-1)).toBe('available');
  });

  test('a repeating category is read before one of its own products is removed', async () => {
    // Bakery no longer lists it but Offers does, and details are not answered.
    const { pages } = await night(second, {
      shelves: {
        ...shelves,
        Bakery: bakery.slice(1),
        Offers: [...offers.slice(1, 10), offers[0]!, ...offers.slice(10)],
      },
    });
    expect(new Set(pages).size).toBe(14);
    expect(await stateOf(bakery[0]!.id)).toBe('available');
  });

  test('a repeating category is read on a night with repeated requests', async () => {
    const { verdict, pages } = await night(second, {
      page: ({ path, pageNo, before }, shown) =>
        path === 'Bakery' && pageNo === 2 && before === 0 ? shown.slice(0, 1) : shown,
    });
    expect(verdict).toBe('complete');
    expect(new Set(pages).size).toBe(14);
  });

  test('a repeating category is read after an uncertified night, and if it has a product of its own', async () => {
    await night(second, { page: ({ path }, shown) => (path === 'Drinks' ? [] : shown) });
    expect(new Set((await night(third)).pages).size).toBe(14);

    const own = [...offers, { id: '4000', breadcrumb: ['Offers'] }];
    await forgetEverything(book.base.db);
    await night(first, { shelves: { ...shelves, Offers: own } });
    expect(new Set((await night(second, { shelves: { ...shelves, Offers: own } })).pages).size).toBe(15);
  });

  async function night(date: string, change: Partial<SmallUpstreamOptions> = {}) {
    upstream.change({ shelves, page: (_, shown) => shown, ...change });
    const { verdict } = await book.night('uk', date);
    const pages = upstream.log.flatMap((asked) => /^Offers p(\d+)$/.exec(asked)?.slice(1).map(Number) ?? []);
    return { verdict, pages };
  }

  async function membersOfOffers(): Promise<number> {
    const rows = await rowsOf(
      book.base.db,
      `select from catalog.product_category
       join catalog.category using (category_key)
       where category_id = $1 and valid_to is null`,
      [encodeCategoryId(['Offers'])],
    );
    return rows.length;
  }

  async function stateOf(productId: string): Promise<string | null> {
    const [row] = await rowsOf<{ availability: string }>(
      book.base.db,
      `select h.availability::text from catalog.product p join catalog.availability_spell h using (product_key)
       where p.product_id = $1 and h.valid_to is null`,
      [productId],
    );
    return row?.availability ?? null;
  }
});
