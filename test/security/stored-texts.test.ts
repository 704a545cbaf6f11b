import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createSmallUpstream, type SmallProduct, type SmallUpstream } from '../support/small-upstream.ts';

const installation = useInstallation();
const night = '2026-03-01';

const injections = [
  `'; drop table catalog.product; --`,
  `$1 $2 :name \${x} %s`,
  `\\N`,
  `\\.`,
  `a\\tb\\\\\\n`,
  `","injected":true,"`,
  `{1,2,NULL}`,
  `<script>alert(1)</script>`,
  `=HYPERLINK("http://x")`,
  '\u202eliam\u2066',
  '\u001b]0;title\u0007\u001b[2J',
  '\ufeff\u200b\u00ad',
  'x'.repeat(50_000),
];
const text = fc.oneof(
  fc.constantFrom(...injections),
  fc.string({ unit: 'binary' }),
  // Any UTF-16 text, including lone surrogates and control characters.
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 }).map((units) => String.fromCharCode(...units)),
);
const product = fc.record({
  title: text,
  brand: text,
  description: text,
  offerType: text,
  breadcrumb: text,
  image: text,
});
const texts = fc.sample(product, { numRuns: 150, seed: 20_260_301 });

const products: SmallProduct[] = texts.map(({ title, brand, description, offerType, breadcrumb, image }, i) => ({
  id: String(1_000 + i),
  title: `T${title}`,
  // Breadcrumb names become ids in base64, which a lone surrogate does not have.
  breadcrumb: ['Bakery', breadcrumb.toWellFormed()],
  fields: {
    brand,
    gtin: title,
    tpnb: brand,
    imageUrl: `https://images.example/${image}`,
    promotions: [{ description, offerType, startDate: title, endDate: brand }],
    price: { price: 1, unitPrice: 1, unitOfMeasure: description },
  },
}));
const broken: SmallProduct[] = texts
  .slice(0, 20)
  .map(({ title }, i) => ({ id: `x${i}`, fields: { price: title, [title]: 1, id: null } }));

let upstream: SmallUpstream;
beforeAll(async () => {
  upstream = await createSmallUpstream({ shelves: { Bakery: [...products, ...broken] }, pageSize: 24 });
  const [run] = await crawlNight({ installation, upstream: upstream.url, now: nightOf(night), regions: ['uk'] });
  expect(run).toMatchObject({ status: 'published', productsListed: products.length });
});
afterAll(() => upstream?.close());

test('no text column holds overlong texts or control characters other than tab and line feed', async () => {
  const columns = await rowsOf<{ name: string; column: string }>(
    installation.db,
    `select a.attrelid::regclass::text as name, quote_ident(a.attname) as column
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('catalog', 'stage', 'ops')
       and a.atttypid in ('text'::regtype, 'varchar'::regtype, 'text[]'::regtype, 'jsonb'::regtype)
         and not a.attisdropped`,
  );
  expect(columns.length).toBeGreaterThan(30);
  for (const { name, column } of columns) {
    const [found] = await rowsOf<{ bad: number; longest: number }>(
      installation.db,
      `select count(*) filter (where ${column}::text ~ '[\\x01-\\x08\\x0b-\\x1f]')::int as bad,
         coalesce(max(length(${column}::text)), 0)::int as longest from ${name}`,
    );
    expect(found!.bad, `${name}.${column}`).toBe(0);
    expect(found!.longest, `${name}.${column}`).toBeLessThanOrEqual(20_000);
  }
});

test('texts that look like SQL, COPY or JSON are stored as texts', async () => {
  const rows = await rowsOf<{ id: string; title: string }>(
    installation.db,
    `select product_id as id, title from catalog.product where region = 'uk'`,
  );
  const titles = new Map(rows.map(({ id, title }) => [id, title]));
  expect(titles.size).toBe(products.length);
  for (const injection of injections.slice(0, 10)) {
    const shown = products.filter(({ title }) => title === `T${injection}`);
    expect(shown.length, injection).toBeGreaterThan(0);
    for (const { id } of shown) expect(titles.get(id)).toBe(`T${injection}`);
  }
});
