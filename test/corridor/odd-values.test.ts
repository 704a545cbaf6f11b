import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPackFolder } from '../../src/crawl/archive/pack-folder.ts';
import { createArchive } from '../../src/crawl/archive/payload-archive.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { readFindings } from '../../src/questions/certificates.ts';
import { useFolder } from '../support/folder.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createSmallUpstream, type SmallProduct, type SmallUpstream } from '../support/small-upstream.ts';
import { knownProducts } from '../support/truth.ts';
import { crawlDirectly, type DirectNightOptions } from '../trust/direct-book.ts';

/**
 * The highest price that is kept (src/source/normalise/money.ts): far less than ten times as many pence fit an integer.
 */
const highest = 10_000_000;

const good = Array.from({ length: 30 }, (_, index) => ({ id: String(300 + index), price: 1 + index / 10 }));
const nameless = { id: '399', fields: { id: { no: 399 } } };
const priceless = { id: '398', fields: { id: null } };

const installation = useInstallation();
const home = useFolder('values');
let upstream: SmallUpstream;
beforeAll(async () => {
  upstream = await createSmallUpstream({ shelves: {}, pageSize: 24 });
});
beforeEach(() => forgetEverything(installation.db));
afterAll(() => upstream?.close());

test('an unparsable element is quarantined with a reason, and the rest of its page is kept', async () => {
  const run = await night('2026-08-01', [...good, nameless, priceless], { home, env: { ARCHIVE: 'file' } });
  const known = await knownProducts(installation.db, 'uk', '2026-08-01');
  expect([...known.keys()].sort()).toEqual(good.map(({ id }) => id));
  expect(run.verdict).toBe('partial');

  const rows = await rowsOf<{ path: string; reason: string; value: string; sha256: string }>(
    installation.db,
    `select path, reason, value, encode(payload_sha256, 'hex') as sha256
     from ops.quarantine
     where run_id = $1 and endpoint = 'uk-category-page'`,
    [run.runId],
  );
  const rejected = new Map(rows.map(({ path, reason, value }) => [path, `${JSON.parse(value).title}: ${reason}`]));
  expect(Object.fromEntries(rejected)).toEqual({
    'data.products[6]': 'Product 399: id: Invalid input',
    'data.products[7]': 'Product 398: id: missing',
  });

  const packs = createPackFolder(join(home, 'archive'));
  const archive = createArchive({ packs, db: installation.db });
  for (const { sha256 } of rows) {
    const body = await archive.get(sha256);
    expect(createHash('sha256').update(body).digest('hex')).toBe(sha256);
    expect(JSON.parse(Buffer.from(body).toString()).data.products.length).toBe(8);
  }
});

test('characters that PostgreSQL cannot store never stop a page', async () => {
  const hostile = '\u0000\ud800 "quoted\\\t\r\n"';
  const loyal = { description: `£1 Loyal Price ${hostile}`, offerType: hostile, startDate: hostile };
  const multibuy = { description: 'Any 99999999 for £99999999999', offerType: null, startDate: '0000-01-01T00:00:00Z' };
  const promotions = [
    { ...loyal, endDate: '9999-99-99' },
    { ...multibuy, endDate: '275760-09-13T00:00:00Z' },
  ];
  const texts = { brand: hostile, imageUrl: `https://images.example/${hostile}`, gtin: hostile, tpnb: hostile };
  const run = await night('2026-08-03', [
    ...good,
    { id: '397', title: `Bread ${hostile}`, fields: { ...texts, promotions } },
    { id: '396', price: 1e9 },
    { id: '395', price: -1 },
    { id: '394', price: 0 },
  ]);
  expect(run.status).toBe('published');
  const known = await knownProducts(installation.db, 'uk', '2026-08-03');
  expect(good.every(({ id }) => known.has(id))).toBe(true);
  expect(known.get('397')?.title).toMatch(/^Bread \ufffd "quoted\\/);
  const [failed] = await rowsOf(
    installation.db,
    `select count(*)::int as pages from ops.category_page where status <> 'done'`,
  );
  expect(failed).toEqual({ pages: 0 });
});

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
    `select p.description, c.stated_percent, p.effective_price
     from marts.fct_promotion p
     left join marts.fct_promotion_check c using (product_key, promotion_key, seen_from)
     where p.product_id > '2'
     order by p.product_id`,
  );
  expect(shown.map((row) => Object.values(row).join(' '))).toEqual([
    '£2.00 Clubcard Price 100.00 ',
    'Was £10000000 Now £2.00 100.00 ',
    'Save £10000000 50.00 ',
    'Any 3 for 2  6666666.6667',
    'Any 3 Save 20% 20.00 8000000.0000',
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

async function night(
  date: string,
  products: readonly SmallProduct[],
  more: Pick<DirectNightOptions, 'home' | 'env'> = {},
) {
  upstream.change({ shelves: { Garden: products } });
  const [run] = await crawlDirectly({ installation, upstream: upstream.url, date, regions: ['uk'], ...more });
  return run!;
}
