import { describe, expect, it } from 'vitest';
import { useExplorer } from '../explorer-book.ts';
import { readCsv } from '../read-csv.ts';

const explorer = useExplorer();

interface Chart {
  readonly title: string;
  readonly series: readonly { readonly name: string; readonly spells: readonly [number, number, string][] }[];
}

const page = async (path: string) => (await explorer.get(path)).text();
const csv = async (path: string) => readCsv(await page(path));
const chartsOf = (html: string): Chart[] =>
  [...html.matchAll(/data-chart="([^"]*)"/g)].map(([, data]) => JSON.parse(data!.replaceAll('&quot;', '"')));

/** Lines of shelf prices. */
const shelf = (series: Chart['series']) => series.filter(({ name }) => !name.endsWith(', members'));

/** British products that most happens to, and one article in both regions. */
async function some() {
  const moved = await explorer.ask<{ product_id: string }>(
    `select product_id from marts.fct_price_change where region = 'uk' group by 1 order by count(*) desc, 1 limit 8`,
  );
  const [pair] = await explorer.ask<{ uk: string; ie: string }>(
    'select uk_product_id as uk, ie_product_id as ie from marts.region_match order by 1 limit 1',
  );
  return { moved: moved.map(({ product_id }) => `uk:${product_id}`), uk: `uk:${pair!.uk}`, ie: `ie:${pair!.ie}` };
}

describe('the comparison of products', () => {
  it('repeated products are the same comparison as products with commas', async () => {
    const { uk, ie } = await some();
    const repeated = await csv(`/compare.csv?p=${uk}&p=${ie}&p=${uk}`);
    expect(repeated).toEqual(await csv(`/compare.csv?p=${uk},${ie}`));
    expect(repeated.map(({ region, product_id }) => `${region}:${product_id}`)).toEqual([uk, ie]);
    expect((await explorer.get(`/compare?p=${uk}&p=nonsense`)).status).toBe(400);
  });

  it('the lowest, usual and highest price and the change are those of the nights of the span', async () => {
    const { moved } = await some();
    for (const row of await csv(`/compare.csv?p=${moved.slice(0, 6).join(',')}&span=all`)) {
      const nights = await explorer.ask<{ price: string; loyalty_price: string | null }>(
        `select d.price, d.loyalty_price from marts.fct_price_daily d
         where region = 'uk' and product_id = '${row['product_id']}' and d.price is not null order by snapshot_date`,
      );
      const prices = nights.map(({ price }) => Number(price));
      const paid = nights.map(({ price, loyalty_price }) => Math.min(Number(price), Number(loyalty_price ?? price)));
      const count = (wanted: number) => prices.filter((price) => price === wanted).length;
      expect(Number(row['span_lowest_price'])).toBe(Math.min(...paid));
      expect(Number(row['span_highest_price'])).toBe(Math.max(...prices));
      expect(count(Number(row['span_usual_price']))).toBe(Math.max(...prices.map(count)));
      const change = 100 * (Number(row['price']) / prices[0]! - 1);
      expect(Number(row['span_change_pct'])).toBeCloseTo(change, 1);
    }
  });

  it('two currencies have a chart each, and one chart when indexed to the first night', async () => {
    const { uk, ie } = await some();
    const charts = chartsOf(await page(`/compare?p=${uk},${ie}`));
    expect(charts.map(({ title, series }) => [title, shelf(series).length])).toEqual([
      ['Prices in GBP', 1],
      ['Prices in EUR', 1],
    ]);
    expect(charts.map(({ series }) => series[0]!.spells[0]![2][0])).toEqual(['£', '€']);
    const [indexed, ...others] = chartsOf(await page(`/compare?p=${uk},${ie}&show=index`));
    expect([shelf(indexed!.series).map(({ spells }) => spells[0]![2]), others]).toEqual([['100.0', '100.0'], []]);
  });

  it('packs of different content are compared per unit, and the lead names the cheapest; others by price', async () => {
    const packs = await explorer.ask<{ id: string; title: string; size: number }>(
      `select distinct on (round(price / unit_price, 1)) product_id as id, title, round(price / unit_price, 1) as size
       from marts.product_now
       where region = 'uk' and availability = 'available' and unit_of_measure = 'kg' and unit_price > 0
       order by 3 limit 2`,
    );
    const two = packs.map(({ id }) => `uk:${id}`).join(',');
    const html = await page(`/compare?p=${two}`);
    expect(chartsOf(html).map(({ title }) => title)).toEqual(['Prices in GBP per kg']);
    expect(html).toMatch(/Cheapest per kg: [^.]+, £[\d.]+/);
    expect(chartsOf(await page(`/compare?p=${two}&show=price`)).map(({ title }) => title)).toEqual(['Prices in GBP']);
    expect(chartsOf(await page(`/compare?p=uk:${packs[0]!.id}`)).map(({ title }) => title)).not.toContain('per kg');
  });

  it('a low that only members paid has a dashed line, and heading and table name the members', async () => {
    const [steady] = await explorer.ask<{ id: string; low: string }>(
      `select product_id as id, min(loyalty_price)::text as low from marts.fct_price_daily where region = 'uk'
       group by 1 having count(distinct price) = 1 and count(*) > 3 and min(loyalty_price) < min(price)
       order by 1 limit 1`,
    );
    const html = await page(`/compare?p=uk:${steady!.id}`);
    expect(html).toMatch(
      new RegExp(`<h1>The shelf price did not change in \\d+ nights; members paid £${steady!.low}<`),
    );
    expect(html).toContain(`£${steady!.low}<small>members</small>`);
    const { series } = chartsOf(html)[0]!;
    expect(series.map(({ name }) => name.endsWith(', members'))).toEqual([false, true]);
    expect(series[1]!.spells[0]![2]).toBe(`£${steady!.low}`);
    expect(html).toContain('class="line s0 members"');
  });

  it('an empty comparison links to three of products that are for sale per unit, each with a best swap', async () => {
    const html = await page('/compare');
    const [, line = ''] = /<p>For example, the three cheapest per unit of (.*?)<\/p>/s.exec(html) ?? [];
    const links = [...line.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'));
    expect(links).toHaveLength(3);
    for (const link of links) {
      const rows = await csv(link.replace('/compare', '/compare.csv'));
      expect(rows).toHaveLength(3);
      const example = await page(link);
      const [one, other] = [...example.matchAll(/<text class="end t\d"[^>]*>([^<]*)</g)].map(([, label]) => label!);
      // Value and words of the title.
      for (const label of [one, other]) if (label !== undefined) expect(label).toMatch(/^£[\d.]+ \S/);
      const units = new Set(rows.map(({ unit_of_measure }) => unit_of_measure));
      const prices = new Set(rows.map(({ unit_price }) => Number(unit_price)));
      if (units.size === 1 && prices.size > 1) expect(example).toContain('Best swap:');
    }
    expect((await csv(links[0]!.replace('/compare', '/compare.csv')))[0]!['span_lowest_unit_price']).toBeTruthy();
  });

  it('the first six of more products are compared, and the page says so, also of unknown ones', async () => {
    const { moved } = await some();
    const html = await page(`/compare?p=${moved.join('&p=')}`);
    expect(html).toContain(`Of ${moved.length} products the first 6 are compared.`);
    expect(shelf(chartsOf(html)[0]!.series)).toHaveLength(6);
    expect(await page('/compare?p=uk:absent')).toContain('There is no product absent in region uk.');
  });

  it('rows of a list are ticked to compare them, found products are added, and each can be removed', async () => {
    const { uk, ie } = await some();
    const list = await page('/products?q=milk');
    const [, ticked] = /<form action="\/compare">.*?<input type="checkbox" name="p" value="(uk:\d+)"/s.exec(list)!;
    const html = await page(`/compare?p=${uk},${ie}&find=milk`);
    const form = html.slice(html.indexOf('<form action="/compare#add">'));
    expect(form).toContain(`name="p" value="${uk},${ie}"`);
    expect(form).toContain(`type="checkbox" name="p" value="${ticked}"`);
    expect(form).toContain(`<button type="submit" name="p" value="${ticked}"`);
    const found = await csv('/compare.csv?find=milk&table=found');
    const matching = await explorer.ask<{ id: string }>(
      `select product_id as id from marts.find_products('uk', 'milk') join marts.product_now using (product_key)`,
    );
    expect(found.length).toBeGreaterThan(3);
    for (const { product_id } of found) expect(matching.map(({ id }) => id)).toContain(product_id);
    expect(html).toContain(`href="/compare?p=${ie}&amp;find=milk"`);
    expect(await page(`/product?id=${uk.slice(3)}`)).toContain(`href="/compare?p=${uk}&amp;region=uk"`);
  });
});
