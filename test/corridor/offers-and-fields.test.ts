import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { verifyNights } from '../../src/followers/audits/verify.ts';
import { encodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createSmallUpstream, type SmallProduct, type SmallUpstream } from '../support/small-upstream.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

const others = Array.from({ length: 40 }, (_, i) => ({ id: String(2_000 + i), price: 3 }));

describe('unusual fields', () => {
  const installation = useInstallation(undefined, { isForEachTest: true });
  let upstream: SmallUpstream;
  beforeAll(async () => {
    upstream = await createSmallUpstream({ shelves: { Drinks: others }, pageSize: 24 });
  });
  beforeEach(() => upstream.change({ shelves: { Drinks: others } }));
  afterAll(() => upstream?.close());

  const ask = (query: string, values: readonly unknown[] = []) => rowsOf(installation.db, query, values);

  async function night(date: string, products: readonly SmallProduct[], maxDetails = 0) {
    upstream.change({ shelves: { Drinks: [...products, ...others] } });
    const [run] = await crawlDirectly({ installation, upstream: upstream.url, date, regions: ['uk'], maxDetails });
    return run!;
  }

  test('a price shown for a product not for sale is stored as shown and is not an offer', async () => {
    const shown = (price: number, isForSale: boolean, promotions: readonly unknown[] = []) => [
      { id: '1', price, fields: { isForSale, promotions } },
      // Never for sale so far.
      { id: '2', price: 5, fields: { isForSale: false } },
    ];
    for (const date of ['2026-05-01', '2026-05-02', '2026-05-03']) await night(date, shown(7.99, true));
    for (const date of ['2026-05-04', '2026-05-05']) await night(date, shown(0.01, false));
    for (const date of ['2026-05-06', '2026-05-07']) await night(date, shown(7.99, true));
    const reduction = { description: 'Was £7.99 Now £5.00', offerType: 'X', startDate: null, endDate: null };
    await night('2026-05-08', shown(5, true, [reduction]));

    expect(await ask(`select snapshot_date, old_price, new_price from marts.fct_price_change`)).toEqual([
      { snapshot_date: '2026-05-08', old_price: '7.99', new_price: '5.00' },
    ]);
    const asOf = `select product_id, price, availability
      from marts.as_of('uk', $1)
      where product_id in ('1', '2')
      order by 1`;
    expect(await ask(asOf, ['2026-05-05'])).toEqual([
      { product_id: '1', price: '0.01', availability: 'unavailable' },
      { product_id: '2', price: '5.00', availability: 'unavailable' },
    ]);
    expect(await ask(asOf, ['2026-05-06'])).toMatchObject([{ price: '7.99', availability: 'available' }, {}]);
    expect(
      await ask(`select price, valid_from from marts.fct_price_spell where product_id = '1' order by valid_from`),
    ).toEqual([
      { price: '7.99', valid_from: '2026-05-01' },
      { price: '5.00', valid_from: '2026-05-08' },
    ]);
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  test('a night with a few unreadable fields keeps their products and is complete', async () => {
    const bad = [
      { id: '1', fields: { price: { price: 'POA' } } },
      { id: '2', fields: { price: { price: -1.5 } } },
      { id: '3', fields: { isForSale: null } },
      { id: '4', fields: { isForSale: 'true' } },
      { id: '5', fields: { brand: 17 } },
      { id: '6', fields: { promotions: 'none' } },
      { id: '7', fields: { title: null } },
    ];
    await night(
      '2026-05-01',
      bad.map(({ id }) => ({ id })),
    );
    const run = await night('2026-05-02', bad);
    expect([run.status, run.verdict, run.productsListed]).toEqual(['published', 'complete', 47]);
    const rows = await ask(`
      select product_id, title, price, availability from marts.as_of('uk', '2026-05-02')
      where product_id < '8' and length(product_id) = 1 order by 1`);
    expect(rows).toMatchObject([
      { product_id: '1', title: 'Product 1', price: null, availability: 'available' },
      { product_id: '2', price: null },
      // Unreadable values keep their previous value.
      { product_id: '3', availability: 'available' },
      { product_id: '4', availability: 'available' },
      { product_id: '5', price: '1.00' },
      { product_id: '6', price: '1.00' },
      { product_id: '7', title: 'Product 7' },
    ]);
    expect(
      await ask(`select reason, count(*)::int as elements from ops.quarantine group by reason order by reason`),
    ).toEqual([
      { reason: 'brand: not a text', elements: 1 },
      { reason: 'isForSale: missing', elements: 1 },
      { reason: 'isForSale: neither true nor false', elements: 1 },
      { reason: 'price.price: not an amount', elements: 2 },
      { reason: 'promotions: not a list', elements: 1 },
      { reason: 'title: missing', elements: 1 },
    ]);
  });

  test('a night with an unreadable field in many products is held', async () => {
    await night('2026-05-01', []);
    upstream.change({
      page: (_, products) => products.map((product) => ({ ...product, fields: { isForSale: 'yes' } })),
    });
    const run = await night('2026-05-02', []);
    upstream.change({ page: (_, products) => products });
    expect(run.status).toBe('held');
    expect(await ask('select name, severity from marts.check_finding')).toMatchObject([
      { name: 'unreadable-isforsale', severity: 'block' },
    ]);
  });

  test('barcode and breadcrumb missing from pages are taken from details', async () => {
    const bare = { id: '1', breadcrumb: [], fields: { gtin: null, categoryBreadcrumbs: [] } };
    upstream.change({
      details: (id) => ({
        status: 200,
        body: {
          success: true,
          data: {
            productId: id,
            results: [
              {
                data: {
                  product: {
                    id,
                    title: `Product ${id}`,
                    ...(id === '1' && {
                      gtin: '05000157024671',
                      charges: [{ __typename: 'ProductDepositReturnCharge', amount: 0.15 }],
                      categoryBreadcrumbs: [{ id: encodeCategoryId(['Drinks', 'Water']), name: 'Water', level: 1 }],
                    }),
                  },
                },
              },
            ],
          },
        },
      }),
    });
    upstream.change({ taxonomy: () => [{ name: 'Drinks', label: 'superDepartment', children: [{ name: 'Water' }] }] });
    const first = await night('2026-05-01', [bare], 50);
    expect(first.verdict).toBe('complete');
    const known = `
      select gtin, department, deposit,
        (select string_agg(category_id, ' ' order by depth) from marts.bridge_product_category b
         where b.product_id = '1' and b.valid_to is null and b.is_direct) as shelf
      from marts.dim_product where product_id = '1'`;
    const expected = {
      gtin: '05000157024671',
      department: 'Drinks',
      deposit: '0.15',
      // The page that lists it, and the shelf in its details.
      shelf: `${encodeCategoryId(['Drinks'])} ${encodeCategoryId(['Drinks', 'Water'])}`,
    };
    expect(await ask(known)).toEqual([expected]);
    // A listing that changes otherwise takes nothing of it away.
    await night('2026-05-02', [{ ...bare, price: 2 }]);
    expect(await ask(known)).toEqual([expected]);
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  test('an id that names another article is a new product, and the former one is delisted', async () => {
    const article = (id: string, title: string, brand: string, gtin: string | null, price: number, more = {}) => ({
      id,
      title,
      price,
      fields: { brand, gtin, ...more },
    });
    const milk = '05000157024671';
    const before = [
      article('431', 'Whole Milk 2 Litres', 'MERIDIAN', milk, 1.5),
      article('1', 'Oat Biscuits 300g', 'MERIDIAN', '05000157024688', 2),
      article('2', 'Tomato Soup 400g', 'SONIQ', '05000157024695', 2),
      article('3', 'Green Tea 80 Bags', 'MERIDIAN', '05000157024701', 2),
      article('4', 'Cola 2 Litres', 'MERIDIAN', '02900157024701', 2),
    ];
    const after = [
      article('431', 'Bluetooth Speaker Black', 'SONIQ', '04548736000009', 5.4, {
        promotions: [{ description: 'Was £5.40 Now £5.00', offerType: 'X', startDate: null, endDate: null }],
      }),
      // Renamed, under another brand, with another barcode, or with a code of the shop's own: the same article.
      article('1', 'Hobnobs Family Pack', 'MERIDIAN', '05000157024688', 2.1),
      article('2', 'Tomato Soup 400g', 'ROOT & VINE', '05000157024718', 2.1),
      article('3', 'Verde Infusion', 'MERIDIAN', '05000157024725', 2.1),
      article('4', 'Kola Zero', 'SONIQ', '02900157024718', 2.1),
    ];
    for (const date of ['2026-05-01', '2026-05-02']) await night(date, before);
    const third = await night('2026-05-03', after);
    expect(third.verdict).toBe('complete');

    expect(
      await ask(`select title, availability, replaced_at is not null as is_replaced from marts.dim_product
        where product_id = '431' order by product_key`),
    ).toEqual([
      { title: 'Whole Milk 2 Litres', availability: 'delisted', is_replaced: true },
      { title: 'Bluetooth Speaker Black', availability: 'available', is_replaced: false },
    ]);
    expect(await ask('select product_id from marts.fct_price_change order by 1')).toEqual(
      ['1', '2', '3', '4'].map((product_id) => ({ product_id })),
    );
    const milkOf = `select title, price from marts.as_of('uk', $1) where product_id = '431'`;
    expect(await ask(milkOf, ['2026-05-02'])).toEqual([{ title: 'Whole Milk 2 Litres', price: '1.50' }]);
    expect(await ask(milkOf, ['2026-05-03'])).toEqual([{ title: 'Bluetooth Speaker Black', price: '5.40' }]);
    const verified = await verifyNights(installation.db, { now: new Date() });
    expect(verified.map(({ isSame }) => isSame)).toEqual([true, true, true]);
    await night('2026-05-04', after);
    expect(await ask(`select count(*)::int from marts.dim_product where product_id = '431'`)).toEqual([{ count: 2 }]);
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  test('a product that returns at another price counts as a return, not as a price change', async () => {
    const shown = (price: number) => [{ id: '1', price }];
    upstream.change({
      details: () => ({ status: 404, body: { success: false, error: 'NOT_FOUND', message: 'none' } }),
    });
    await night('2026-05-01', shown(1));
    await night('2026-05-02', []);
    await night('2026-05-03', shown(2));
    await night('2026-05-04', shown(3));
    expect(await ask('select snapshot_date, old_price, new_price from marts.fct_price_change')).toEqual([
      { snapshot_date: '2026-05-04', old_price: '2.00', new_price: '3.00' },
    ]);
  });
});
