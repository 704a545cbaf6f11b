import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
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
/** Offers is left out on the two nights after the first, and read on the third. */
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

  test('a repeating category is read every third night, and the certificates of the others name it', async () => {
    const nights = [];
    for (const date of [second, third, fourth]) nights.push(await night(date));
    const listed = await rowsOf(book.base.db, 'select from catalog.extra_listing where valid_to is null');
    expect(listed).toHaveLength(offers.length);
    expect(nights.map(({ pages }) => pages.length)).toEqual([0, 0, 14]);
    const leftOut = {
      verdict: 'complete_within_tolerance',
      reasons: [{ code: 'category_not_read', path: 'Offers', figures: [] }],
    };
    expect(nights).toMatchObject([leftOut, leftOut, { verdict: 'complete', reasons: [] }]);
    expect(await brokenInvariants(book.base.db)).toEqual([]);
  });

  test('a product that only a repeating category still lists is not reported as gone', async () => {
    const moved = { ...shelves, Bakery: bakery.slice(1), Offers: [...offers.slice(1), offers[0]!] };
    const found = [];
    for (const date of [second, third, fourth]) {
      const { verdict } = await night(date, { shelves: moved });
      found.push([verdict, await stateOf(bakery[0]!.id)]);
    }
    const leftOut = ['complete_within_tolerance', 'available'];
    // Once Offers is read, it shows that Bakery lacks a product.
    expect(found).toEqual([leftOut, leftOut, ['partial', 'available']]);
  });

  test('a repeating category is read after an uncertified night, and if it has a product of its own', async () => {
    await night(second, { page: ({ path }, shown) => (path === 'Drinks' ? [] : shown) });
    expect((await night(third)).pages).toHaveLength(14);

    const own = [...offers, { id: '4000', breadcrumb: ['Offers'] }];
    await forgetEverything(book.base.db);
    await night(first, { shelves: { ...shelves, Offers: own } });
    expect((await night(second, { shelves: { ...shelves, Offers: own } })).pages).toHaveLength(15);
  });

  test('products that no category lists are gone once the repeating one is read, or by their own pages', async () => {
    const gone = bakery.slice(0, 9);
    const without = { ...shelves, Bakery: bakery.slice(9), Offers: offers.slice(9) };
    const data = { product: { status: 'ProductNotFound' } };
    const details = () => ({ status: 200, body: { success: true, data } });
    const nights = [
      [second, {}, 'available'],
      [fourth, {}, 'absent'],
      [second, { details }, 'absent'],
    ] as const;
    for (const [date, own, state] of nights) {
      await recallEverything(book.base.db);
      await night(date, { shelves: without, ...own });
      for (const { id } of gone) expect(await stateOf(id)).toBe(state);
    }
  });

  async function night(date: string, change: Partial<SmallUpstreamOptions> = {}) {
    upstream.change({ shelves, page: (_, shown) => shown, ...change });
    const { runId, verdict } = await book.night('uk', date);
    const [certificate] = await rowsOf<{ reasons: unknown[] }>(
      book.base.db,
      'select reasons from ops.certificate where run_id = $1',
      [runId],
    );
    const pages = upstream.log.flatMap((asked) => /^Offers p(\d+)$/.exec(asked)?.slice(1).map(Number) ?? []);
    return { verdict, pages, reasons: certificate!.reasons };
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
