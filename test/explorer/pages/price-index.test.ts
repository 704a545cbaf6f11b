import { beforeAll, describe, expect, it } from 'vitest';
import { longDate, shortDate } from '../../../src/web/words.ts';
import { deriveAll } from '../../docs/played-book.ts';
import { book, useExplorer } from '../explorer-book.ts';
import { readCsv } from '../read-csv.ts';

const explorer = useExplorer();

describe('the index', () => {
  it('the page has every value of the chosen lines, as in the mart, in the order of the form', async () => {
    const [category] = await explorer.ask<{ key: number; path: string }>(
      `select category_key as key, path from marts.dim_category where region = 'ie' and depth = 0 order by 1 limit 1`,
    );
    const address = `a=${category!.key}&b=ie&c=uk&method=mean_price&basis=member&period=week`;
    const rows = readCsv(await (await explorer.get(`/index.csv?${address}`)).text());
    const expected = await explorer.ask<Record<string, unknown>>(`
      select region, category_key, period, period_start, method, price_basis, value
      from marts.price_index
      where (category_key is null or category_key = ${category!.key})
        and period = 'week' and method = 'mean_price' and price_basis = 'member'`);
    const key = (row: Readonly<Record<string, unknown>>) =>
      ['region', 'category_key', 'period', 'period_start', 'method', 'price_basis', 'value']
        .map((name) => row[name] ?? '')
        .join(' ');
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.map(key).sort()).toEqual(expected.map(key).sort());
    const html = await (await explorer.get(`/index?${address}`)).text();
    const drawn = /<desc[^>]*>([^<]*)<\/desc>/.exec(html)![1]!.replaceAll('&amp;', '&').split('. From')[0]!.split('; ');
    const names = [`Ireland, ${category!.path.trim()}`, 'Ireland, everything', 'United Kingdom, everything'];
    expect(drawn).toEqual(names);
    expect(html).toContain('Computed from members’ prices; method: mean price.');
  });

  it('no line is drawn through a night that is not certified', async () => {
    const html = await (await explorer.get('/index?a=uk')).text();
    expect(html).toContain('no complete night');
    // Nothing is said about a month that the book does not have.
    expect(html).toMatch(
      /<h1>Prices in the United Kingdom are [^<]* on 6 Jun; [^<]* added most \(\+[^<]+ points\), [^<]* took off most/,
    );
    expect(html).not.toContain('month ago');
    const [, head] = /<table class="departments">(.*?)<\/thead>/s.exec(html)!;
    const headings = [...head!.matchAll(/<th scope="col" class="number[^>]*>([^<]+)/g)].map(([, heading]) => heading);
    expect(headings).toEqual(['Since 6 Jun (4 nights)', 'Contribution', 'Products']);
    // A book of five days has no shorter span.
    expect(html).not.toContain('aria-label="Length of the charts"');
    const path = [...html.matchAll(/<path class="line s0" d="(M[^"]+)"/g)].at(-1)![1]!;
    // Two nights, the gap, two nights: two pieces of two steps.
    expect(path.match(/M/g)).toHaveLength(2);
    expect(path.match(/V/g)).toHaveLength(2);
    const table = html.slice(html.indexOf('Price index by night as a table'));
    expect(table).toContain(`>${shortDate(book.lastNight)}</td>`);
    expect(table).not.toContain(`>${shortDate(book.partialNight)}</td>`);
  });

  it('the index begins with the first night, not with its week or month', async () => {
    for (const period of ['day', 'week', 'month']) {
      const html = await (await explorer.get(`/index?a=uk&b=ie&period=${period}`)).text();
      const drawing = html.slice(html.indexOf('<desc id="index-'));
      const starts = [...drawing.matchAll(/<path class="line s\d" d="M([\d.]+) /g)].map(([, x]) => Number(x));
      expect(starts).toContain(0);
      expect(html).toContain(`From ${longDate(book.firstNight)} to `);
    }
    const html = await (await explorer.get('/index?a=uk&period=week')).text();
    expect(html).toContain(`1 Jun 2026, known from ${shortDate(book.firstNight)}`);
  });
});

describe('the index of a category', () => {
  it('a department leads to its own index and to those of the categories directly in it', async () => {
    const [parent] = await explorer.ask<{ key: number; name: string; parts: number[] }>(
      `select p.category_key as key, trim(p.name) as name, array_agg(distinct c.category_key) as parts
       from marts.dim_category p
       join marts.dim_category c on c.parent_key = p.category_key
       join marts.price_index i on i.category_key = c.category_key
       where p.region = 'uk' and p.depth = 0 and i.value is not null
       group by 1, 2 order by count(distinct c.category_key) desc, 1 limit 1`,
    );
    expect(await (await explorer.get('/index')).text()).toContain(`href="/index?category=${parent!.key}"`);
    const address = `category=${parent!.key}`;
    const parts = readCsv(await (await explorer.get(`/index.csv?table=departments&${address}`)).text());
    expect(parts.map((row) => Number(row['category_key'])).sort()).toEqual([parent!.key, ...parent!.parts].sort());
    const lines = readCsv(await (await explorer.get(`/index.csv?${address}`)).text());
    expect(new Set(lines.map((row) => row['category_key']))).toEqual(new Set([String(parent!.key)]));
    const html = await (await explorer.get(`/index?${address}`)).text();
    expect(html).toContain(`<h1>Prices of ${parent!.name.replaceAll('&', '&amp;')} in the United Kingdom`);
    expect(html).toContain(`href="/index?category=${parent!.key}&amp;b=${parent!.parts[0]}"`);
  });
});

describe('contributions to the change of the whole', () => {
  it('are the logarithms of the changes by the products of each part, and the page names their sum', async () => {
    const rows = readCsv(await (await explorer.get('/index.csv?table=departments')).text());
    const [whole, ...parts] = rows;
    const ends = await explorer.ask<{ key: number | null; by: number; products: number }>(
      `select first.category_key as key, (last.value / first.value)::float8 as by, last.matched_products as products
       from marts.price_index first
       join marts.price_index last using (region, period, method, price_basis)
       where region = 'uk' and period = 'day' and method = 'geks_jevons' and price_basis = 'shelf_adjusted'
         and first.category_key is not distinct from last.category_key
         and first.period_start = '${book.firstNight}' and last.period_start = '${book.lastNight}'`,
    );
    const all = ends.find(({ key }) => key === null)!;
    expect(Number(whole!['contribution_points'])).toBeCloseTo(100 * (all.by - 1), 2);
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) {
      const own = ends.find(({ key }) => key === Number(part['category_key']))!;
      const points = (100 * Math.log(own.by) * own.products * (all.by - 1)) / (all.products * Math.log(all.by));
      expect(Number(part['contribution_points'])).toBeCloseTo(points, 2);
    }
    const sum = parts.reduce((total, part) => total + Number(part['contribution_points']), 0);
    const html = await (await explorer.get('/index')).text();
    expect(html).toContain(`They add up to ${sum < 0 ? '−' : '+'}${Math.abs(sum).toFixed(2)} of `);
  });
});

describe('the index of two regions with different first nights', () => {
  const apart = useExplorer();
  const irishFirstNight = '2026-06-09';

  beforeAll(async () => {
    await apart.db.query(`update ops.run set verdict = 'partial' where region = 'ie' and snapshot_date < $1`, [
      irishFirstNight,
    ]);
    await deriveAll(apart.db);
  });

  it('the first night of the earlier region is named in its own week only', async () => {
    const html = await (await apart.get('/index?a=uk&b=ie&period=week')).text();
    expect(html.match(/\d+ \w+ \d{4}, known from \d+ \w+ \d{4}/g)).toEqual([
      `1 Jun 2026, known from ${shortDate(book.firstNight)}`,
    ]);
    expect(html).toContain(`From ${longDate(book.firstNight)} to 8 June 2026`);
  });

  // Last test of the block, because it changes data that the others read.
  it('no line connects two series, and each value states when its base of 100 was', async () => {
    const pieces = async () =>
      [...(await (await apart.get('/index?a=uk')).text()).matchAll(/<path class="line s0" d="([^"]+)"/g)]
        .at(-1)![1]!
        .match(/M/g)!.length;
    const before = await pieces();
    await apart.db.query(
      `update derived.price_index
       set base_start = $1
       where region = 'uk' and category_key = 0 and period = 'day' and period_start >= $1`,
      [book.lastNight],
    );
    expect(await pieces()).toBe(before + 1);
    const rows = readCsv(await (await apart.get('/index.csv?a=uk')).text());
    expect([...new Set(rows.map((row) => row['base_start']))]).toEqual([book.firstNight, book.lastNight]);
  });
});
