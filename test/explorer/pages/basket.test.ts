import { describe, expect, it } from 'vitest';
import { dayAndMonth } from '../../../src/web/words.ts';
import { book, useExplorer } from '../explorer-book.ts';
import { readCsv } from '../read-csv.ts';

const explorer = useExplorer();

const page = async (path: string) => (await explorer.get(path)).text();
const csv = async (path: string) => readCsv(await page(path));

/** British products alone, with a price on every night, which changed; and one that both regions have. */
async function some() {
  const moved = await explorer.ask<{ product_id: string }>(
    `select product_id from marts.fct_price_daily where region = 'uk' and price is not null
       and product_id not in (select uk_product_id from marts.region_match)
     group by 1 having count(*) filter (where snapshot_date <> '${book.partialNight}') = 4 and count(distinct price) > 1
     order by 1 limit 3`,
  );
  const [pair] = await explorer.ask<{ uk: string; ie: string }>(
    'select uk_product_id as uk, ie_product_id as ie from marts.region_match order by 1 limit 1',
  );
  return { moved: moved.map(({ product_id }) => product_id), ...pair! };
}

describe('the page of a basket', () => {
  it('the total is that of each complete night, and what moved it adds up to its change', async () => {
    const { moved } = await some();
    const items = `items=${moved[0]}:2,${moved[1]},${moved[2]}:3&span=all`;
    const totals = (await csv(`/basket.csv?${items}&table=totals`)).filter(({ region }) => region === 'uk');
    expect(totals.map(({ snapshot_date }) => snapshot_date)).not.toContain(book.partialNight);
    const daily = await explorer.ask<{ date: string; total: string }>(
      `select snapshot_date::text as date, sum(price * case product_id when '${moved[0]}' then 2
         when '${moved[2]}' then 3 else 1 end)::text as total
       from marts.fct_price_daily
       where region = 'uk' and product_id in ('${moved.join("', '")}') and snapshot_date <> '${book.partialNight}'
       group by 1 order by 1`,
    );
    expect(totals.map(({ snapshot_date: date, total }) => ({ date, total }))).toEqual(daily);
    const change = Number(daily.at(-1)!.total) - Number(daily[0]!.total);
    const rows = await csv(`/basket.csv?${items}`);
    const by = (column: string) => rows.reduce((sum, row) => sum + Number(row[column]), 0);
    expect(rows.some(({ moved_by }) => Number(moved_by) !== 0)).toBe(true);
    expect(by('moved_by')).toBeCloseTo(change, 6);
    expect(by('moved_points')).toBeCloseTo((100 * change) / Number(daily[0]!.total), 1);
    const html = await page(`/basket?${items}&name=For+Sunday`);
    expect(html).toContain('<h1>For Sunday</h1>');
    expect(html).toContain(`The basket costs £${daily.at(-1)!.total}, `);
    expect(html).toContain('3 products, 6 items.');
  });

  it('each region has a total in its own currency, and none of both', async () => {
    const { uk, ie, moved } = await some();
    const rows = await csv(`/basket.csv?items=${uk}:2,${moved[0]}&table=totals`);
    const [there] = await explorer.ask<{ total: string }>(
      `select (2 * price)::text as total from marts.product_now where region = 'ie' and product_id = '${ie}'`,
    );
    expect(rows.at(-1)).toMatchObject({ region: 'ie', currency: 'EUR', products: '1', total: there!.total });
    const html = await page(`/basket?items=${uk}:2,${moved[0]}`);
    const [lacking] = await csv(`/basket.csv?items=${moved[0]}`);
    expect(html).toContain(`€${there!.total} for the 1 product that both regions have`);
    expect(html).toContain(`Not sold there, but with something like it: <a href="/products?region=ie&amp;`);
    expect(html).toContain(`>${lacking!['title']!.replaceAll('&', '&amp;')}</a>`);
    const here = await csv(`/basket.csv?items=${uk}:2&table=items`);
    const [rate] = await csv(`/basket.csv?items=${uk}&table=rate`);
    const inPounds = Number(there!.total) * Number(rate!['rate']);
    const dearer = (100 * inPounds) / (2 * Number(here[0]!['price'])) - 100;
    expect(html).toContain(`At £${Number(rate!['rate'])} for a euro: £${inPounds.toFixed(2)} `);
    expect(html).toContain(`${Math.abs(dearer).toFixed(1)}%<span class="hidden"> ${dearer > 0 ? 'more' : 'less'}`);
    expect(html).toContain(`href="/basket?items=${ie}:2&amp;region=ie&amp;away=${moved[0]}">That basket</a>`);
  });

  it('the other region opens with the same articles, and the others are back with the first region', async () => {
    const { uk, ie, moved } = await some();
    const switchOf = async (path: string, region: 'uk' | 'ie') => {
      const [, links = ''] = /<nav[^>]*aria-label="Region">(.*?)<\/nav>/.exec(await page(path)) ?? [];
      const [first, second] = [...links.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'));
      return region === 'uk' ? first : second;
    };
    const irish = `/basket?items=${ie}:2&region=ie&name=Tea&away=${moved[0]}`;
    expect(await switchOf(`/basket?items=${uk}:2,${moved[0]}&name=Tea`, 'ie')).toBe(irish);
    const [lacking] = await csv(`/basket.csv?items=${moved[0]}`);
    expect(await page(irish)).toContain(`Not sold in Ireland: ${lacking!['title']!.replaceAll('&', '&amp;')}.`);
    expect(await switchOf(irish, 'uk')).toBe(`/basket?items=${moved[0]},${uk}:2&name=Tea`);
    expect(await switchOf(`/product?region=uk&id=${uk}`, 'ie')).toBe(`/product?region=ie&id=${ie}&span=year`);
    expect(await switchOf(`/product?region=uk&id=${moved[0]}`, 'ie')).toMatch(
      /^\/products\?region=ie&category=\d+&instead_of=\S+$/,
    );
  });

  it('a swap has the quantity for about the same content, and what it saves', async () => {
    const listed = await explorer.ask<{ product_id: string }>(
      `select product_id from marts.product_now
       where region = 'uk' and availability = 'available' and unit_price > 0 order by product_id limit 60`,
    );
    const items = listed.map(({ product_id }) => `${product_id}:3`).join(',');
    const answer = await explorer.get(`/api/v1/questions/basket-swaps?region=uk&items=${items}`);
    const { tables } = (await answer.json()) as { tables: Record<string, { rows: Record<string, unknown>[] }> };
    const swaps = tables['basket-swaps']!.rows.filter(({ swap_product_id }) => swap_product_id !== null);
    expect(swaps.length).toBeGreaterThan(5);
    const html = await page(`/basket?items=${items}`);
    for (const { swap_product_id: id, swap_quantity: count, saving } of swaps) {
      expect(html).toMatch(new RegExp(`£${Number(saving).toFixed(2)} less(: | for \\d)`));
      expect(html).toContain(count === 1 ? `${id}` : `${id}:${count}`);
    }
  });

  it('tells what members pay beside the shelf, in the heading and by item', async () => {
    const moved = await explorer.ask<{ id: string }>(
      `select s.product_id as id
       from marts.fct_price_spell s join marts.product_now n using (product_key)
       where s.region = 'uk' and n.availability = 'available' and n.loyalty_price is not null
         and s.valid_from <= '${book.firstNight}' and s.valid_to is not null and s.loyalty_price is null
         and s.price = n.price
       order by 1 limit 1`,
    );
    const html = await page(`/basket?items=${moved[0]!.id}&span=all`);
    expect(html).toMatch(
      /The basket costs £[\d.]+, as much as on \d+ \w+; members pay £[\d.]+, [\d.]+% less than then/,
    );
    expect(html).toMatch(/no change<\/span><small>members <span class="change down">/);
  });

  it('a form changes quantities, 0 removes an item, and ticked rows of a list are added', async () => {
    const { moved } = await some();
    const html = await page(`/basket?items=${moved[0]}:2,${moved[1]}`);
    expect(html).toContain(`<option value="${moved[0]}:2" selected>2</option>`);
    expect(html).toContain(`<option value="${moved[0]}:3">3</option>`);
    expect(html).toContain(`href="/basket?items=${moved[0]}:2"`);
    const changed = await csv(`/basket.csv?items=${moved[0]}:3&items=&region=uk&p=uk:${moved[2]}&p=ie:1`);
    expect(changed.map(({ product_id, quantity }) => [product_id, quantity])).toEqual([
      [moved[0], '3'],
      [moved[2], '1'],
    ]);
    expect(await page('/products?q=milk')).toContain('formaction="/basket"');
    expect(await page(`/product?id=${moved[0]}`)).toContain(`href="/basket?items=${moved[0]}&amp;region=uk"`);
  });

  it('ten searches at once are answered by the best products of each, the first of which are ticked', async () => {
    const titles = await explorer.ask<{ id: string; title: string }>(
      `select distinct on (title) product_id as id, title from marts.product_now
       where region = 'uk' and availability = 'available' and title !~ '[,<]' order by title limit 10`,
    );
    const find = titles.map(({ title }) => encodeURIComponent(title)).join(',');
    const html = await page(`/basket?items=${titles[0]!.id}&find=${find},zzzz`);
    const found = await csv(`/basket.csv?find=${find}&table=found`);
    expect(new Set(found.map(({ search }) => search))).toEqual(new Set(titles.map(({ title }) => title)));
    const ticked = [...html.matchAll(/name="p" value="uk:(\d+)" checked/g)].map(([, id]) => id);
    expect(new Set(ticked)).toEqual(new Set(titles.slice(1).map(({ id }) => id)));
    expect(html).toContain('✓ added');
    expect(html).toContain('No products match zzzz.');
    const added = await csv(`/basket.csv?items=${titles[0]!.id}&p=uk:${ticked.join('&p=uk:')}`);
    expect(added).toHaveLength(10);
    const folded = await page(`/basket?items=${titles[0]!.id}&find=${find}&p=uk:${ticked.join('&p=uk:')}`);
    expect(folded).toContain('<details><summary>Added 9. Add more</summary>');
    const matched = await explorer.ask<{ id: string }>('select uk_product_id as id from marts.region_match');
    for (const { product_id, is_in_both } of found)
      expect(is_in_both === 'true').toBe(matched.some(({ id }) => id === product_id));
  });

  it('products whose title or shelf ends with the word come before others that have it', async () => {
    const found = await csv('/basket.csv?find=milk&table=found');
    const shelved = await explorer.ask<{ id: string }>(
      `select product_id as id from marts.product_category_now
       join marts.dim_category c using (category_key) join marts.product_now n using (product_key)
       where c.region = 'uk' and c.depth > 1 and c.name ~* '\\mmilk$'`,
    );
    const ends = found.map(
      (row) => /\bmilks?([ ,]+[\d(].*)?$/i.test(row['title']!) || shelved.some(({ id }) => id === row['product_id']),
    );
    expect(ends).toEqual(ends.toSorted((one, other) => Number(other) - Number(one)));
    expect(ends[0]).toBe(true);
  });

  it('a night on which a product has no price has no total, and an unknown product is named', async () => {
    const { moved } = await some();
    const [late] = await explorer.ask<{ product_id: string; first: string }>(
      `select product_id, min(snapshot_date)::text as first from marts.fct_price_daily where region = 'uk'
       group by 1 having min(snapshot_date) > '${book.partialNight}' and max(snapshot_date) = '${book.lastNight}'
       order by 1 limit 1`,
    );
    const totals = await csv(`/basket.csv?items=${moved[0]},${late!.product_id}&table=totals&span=all`);
    const known = totals.filter(({ region, total }) => region === 'uk' && total).map((row) => row['snapshot_date']!);
    expect(totals[0]!['total']).toBeFalsy();
    expect(known[0]).toBe(late!.first);
    const html = await page(`/basket?items=${moved[0]},${late!.product_id}&span=all`);
    const [{ title }] = (await csv(`/basket.csv?items=${late!.product_id}`)) as [Record<string, string>];
    expect(html).toContain(
      `The basket is complete since ${dayAndMonth(late!.first)}: before, no price of ` +
        `${title!.replaceAll('&', '&amp;')}. <a href="/basket?items=${moved[0]}&amp;span=all">Leave it out</a>`,
    );
    const others = await csv(`/basket.csv?items=${moved[0]}&table=totals&span=all`);
    expect(totals.map(({ early_total }) => early_total)).toEqual(others.map(({ total }) => total));
    expect(others.every(({ early_total }) => !early_total)).toBe(true);
    expect(html).toContain(`Without ${title!.replaceAll('&', '&amp;')}</li>`);
    expect(await page('/basket?items=absent')).toContain('There is no product of uk with the id absent');
  });
});
