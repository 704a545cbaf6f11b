import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFindings } from '../../src/crawl/status/certificates.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createSmallUpstream, type SmallProduct, type SmallUpstream } from '../support/small-upstream.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

/**
 * The highest price that is kept (src/source/normalise/money.ts): far less than ten times as many pence fit an integer.
 */
const highest = 10_000_000;

const installation = useInstallation();
let upstream: SmallUpstream;
beforeAll(async () => {
  upstream = await createSmallUpstream({ shelves: {} });
});
afterAll(() => upstream?.close());

test('a night with the highest possible prices is checked, published, derived and shown', async () => {
  const texts = [
    '£2.00 Clubcard Price',
    `Was £${highest} Now £2.00`,
    `Save £${highest}`,
    'Any 3 for 2',
    'Any 3 Save 20%',
    'Save 20%',
  ];
  const products = texts.map((description, index): SmallProduct => {
    const promotion = { description, offerType: index === 0 ? 'CLUBCARD_PRICING' : 'OTHER', startDate: null };
    return { id: `${101 + index}`, price: 2.5, fields: { promotions: [{ ...promotion, endDate: null }] } };
  });
  await night('2026-07-01', products);
  const run = await night(
    '2026-07-02',
    products.map((product, index) => (index < 4 ? { ...product, price: highest } : product)),
  );
  expect([run.status, run.verdict]).toEqual(['published', 'complete']);
  expect(await readFindings(installation.db, run.runId)).toMatchObject([
    { name: 'price-jump', found: 4, severity: 'warn' },
  ]);
  await night('2026-07-03', [
    ...products.map((product) => ({ ...product, id: `2${product.id}`, price: highest })),
    ...products,
  ]);
  await deriveNights(installation.db, 'uk');
  const shown = await rowsOf(
    installation.db,
    `select description, depth_pct, effective_price
     from marts.fct_promotion
     where product_id > '2'
     order by product_id`,
  );
  expect(shown.map((row) => Object.values(row).join(' '))).toEqual([
    '£2.00 Clubcard Price 100.00 ',
    'Was £10000000 Now £2.00 100.00 ',
    'Save £10000000 50.00 ',
    'Any 3 for 2  6666666.6667',
    'Any 3 Save 20%  8000000.0000',
    'Save 20% 20.00 ',
  ]);
  for (const mart of ['fct_promotion_check', 'fct_price_change', 'fct_region_daily', 'price_index']) {
    expect([mart, (await rowsOf(installation.db, `select * from marts.${mart}`)).length]).not.toEqual([mart, 0]);
  }
});

test('a title too long for an index is truncated and does not stop the night', async () => {
  // Nothing of it repeats, so that nothing of it can be compressed.
  const title = Array.from({ length: 3_000 }, (_, index) =>
    String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
  ).join('');
  const run = await night('2026-07-04', [{ id: '301', title }]);
  expect(run.status).toBe('published');
  const [product] = await rowsOf<{ title: string }>(
    installation.db,
    `select title from marts.dim_product where product_id = '301'`,
  );
  expect(product!.title).toBe(title.slice(0, 800));
});

async function night(date: string, products: readonly SmallProduct[]) {
  upstream.change({ shelves: { Garden: products } });
  const [run] = await crawlDirectly({ installation, upstream: upstream.url, date, regions: ['uk'] });
  return run!;
}
