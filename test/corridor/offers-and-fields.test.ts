import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { verifyNights } from '../../src/followers/audits/verify.ts';
import { encodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createSmallUpstream, type SmallProduct, type SmallUpstream } from '../support/small-upstream.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

const others = Array.from({ length: 40 }, (_, i) => ({ id: String(2_000 + i), price: 3 }));

describe('unusual fields', () => {
  const installation = useInstallation();
  let upstream: SmallUpstream;
  beforeAll(async () => {
    upstream = await createSmallUpstream({ shelves: { Drinks: others }, pageSize: 24 });
  });
  beforeEach(() => forgetEverything(installation.db));
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
    await night('2026-05-01', shown(7.99, true));
    await night('2026-05-02', shown(0.01, false));
    await night('2026-05-03', shown(7.99, true));
    const reduction = { description: 'Was £7.99 Now £5.00', offerType: 'X', startDate: null, endDate: null };
    await night('2026-05-04', shown(5, true, [reduction]));

    expect(await ask(`select snapshot_date, old_price, new_price from marts.fct_price_change`)).toEqual([
      { snapshot_date: '2026-05-04', old_price: '7.99', new_price: '5.00' },
    ]);
    const asOf = `select product_id, price, availability
      from marts.as_of('uk', $1)
      where product_id in ('1', '2')
      order by 1`;
    expect(await ask(asOf, ['2026-05-02'])).toEqual([
      { product_id: '1', price: '0.01', availability: 'unavailable' },
      { product_id: '2', price: '5.00', availability: 'unavailable' },
    ]);
    expect(await ask(asOf, ['2026-05-03'])).toMatchObject([{ price: '7.99', availability: 'available' }, {}]);
    expect(
      await ask(`select price, valid_from from marts.fct_price_spell where product_id = '1' order by valid_from`),
    ).toEqual([
      { price: '7.99', valid_from: '2026-05-01' },
      { price: '5.00', valid_from: '2026-05-04' },
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

  test('a new product with a price and no word on its sale is available', async () => {
    await night('2026-05-01', [
      { id: '1', fields: { isForSale: null } },
      { id: '2', price: null, fields: { isForSale: null } },
    ]);
    expect(
      await ask("select product_id, availability from marts.dim_product where product_id in ('1', '2') order by 1"),
    ).toEqual([
      { product_id: '1', availability: 'available' },
      { product_id: '2', availability: 'unavailable' },
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
      article('4', 'Cola 2 Litres', 'MERIDIAN', '02900157024707', 2),
      article('5', 'Ginger Ale 2 Litres', 'MERIDIAN', '00000020123451', 2),
    ];
    const after = [
      article('431', 'Bluetooth Speaker Black', 'SONIQ', '04548736000001', 5.4, {
        promotions: [{ description: 'Was £5.40 Now £5.00', offerType: 'X', startDate: null, endDate: null }],
      }),
      // Renamed, under another brand, with another barcode, or with a code of the shop's own: the same article.
      article('1', 'Hobnobs Family Pack', 'MERIDIAN', '05000157024688', 2.1),
      article('2', 'Tomato Soup 400g', 'ROOT & VINE', '05000157024718', 2.1),
      article('3', 'Verde Infusion', 'MERIDIAN', '05000157024725', 2.1),
      article('4', 'Kola Zero', 'SONIQ', '02900157024714', 2.1),
      article('5', 'Fiery Tonic', 'SONIQ', '00000020987657', 2.1),
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
      ['1', '2', '3', '4', '5'].map((product_id) => ({ product_id })),
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

  test('an id that names another article ends the former one on a certified night, not on a partial one', async () => {
    const milk = { id: '431', title: 'Whole Milk', price: 1.5, fields: { brand: 'MERIDIAN', gtin: '05000157024671' } };
    const speaker = { id: '431', title: 'Blue Speaker', price: 9, fields: { brand: 'SONIQ', gtin: '04548736000001' } };
    const articles = () =>
      ask(`select title, availability from marts.dim_product where product_id = '431' order by title`);
    await night('2026-05-01', [milk]);
    upstream.change({ declared: (_, total) => total + 30 });
    expect((await night('2026-05-02', [speaker])).verdict).toBe('partial');
    expect(await articles()).toEqual([{ title: 'Whole Milk', availability: 'available' }]);

    upstream.change({ declared: (_, total) => total });
    expect((await night('2026-05-03', [speaker])).verdict).toBe('complete');
    expect(await articles()).toEqual([
      { title: 'Blue Speaker', availability: 'available' },
      { title: 'Whole Milk', availability: 'delisted' },
    ]);
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });
});
