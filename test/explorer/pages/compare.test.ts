import { describe, expect, it } from 'vitest';
import { book, useExplorer } from '../explorer-book.ts';

const explorer = useExplorer();

const page = (path: string) => explorer.page(path);
const escaped = (words: string | null | undefined) => words!.replaceAll('&', '&amp;');

/** British products alone, with a price on every night, which changed; and one that both regions have. */
async function some() {
  const moved = await explorer.ask<{ product_id: string }>(
    `select product_id from marts.fct_price_daily where region = 'uk' and price is not null
       and product_id not in (select uk_product_id from marts.region_match)
     group by 1 having count(*) filter (where snapshot_date <> '${book.partialNight}') = 4 and count(distinct price) > 1
     order by 1 limit 3`,
  );
  const [pair] = await explorer.ask<{ uk: string; ie: string }>(
    `select uk_product_id as uk, ie_product_id as ie from marts.fct_region_gap
     where tier < 3 and ie_price > 0 and uk_price > 0 and snapshot_date = '${book.lastNight}' order by 1 limit 1`,
  );
  return { moved: moved.map(({ product_id }) => product_id), ...pair! };
}

describe('the comparison of products', () => {
  it('the total is that of each complete night', async () => {
    const { moved } = await some();
    const items = `items=${moved[0]}:2,${moved[1]},${moved[2]}:3`;
    const totals = (await explorer.rows('basket', items)).filter(({ region }) => region === 'uk').toReversed();
    const daily = await explorer.ask<{ date: string; total: string }>(
      `select snapshot_date::text as date, sum(price * case product_id when '${moved[0]}' then 2
         when '${moved[2]}' then 3 else 1 end)::text as total
       from marts.fct_price_daily
       where region = 'uk' and product_id in ('${moved.join("', '")}') and snapshot_date <> '${book.partialNight}'
       group by 1 order by 1`,
    );
    expect(totals.map(({ snapshot_date: date, total }) => ({ date, total }))).toEqual(daily);
    const html = await page(`/basket?${items}`);
    expect(html).toContain(`<h1>6 pieces cost £${daily.at(-1)!.total} on 10 Jun, `);
  });

  it('each region has a total in its own currency, and the other region is one link away', async () => {
    const { uk, ie, moved } = await some();
    const items = `items=${uk}:2,${moved[0]}`;
    const [there] = await explorer.ask<{ total: string }>(
      `select (2 * price)::text as total from marts.product_now where region = 'ie' and product_id = '${ie}'`,
    );
    const irish = (await explorer.rows('basket', items)).find(({ region }) => region === 'ie');
    expect(irish).toMatchObject({ currency: 'EUR', products: '1', total: there!.total });
    const html = await page(`/compare?${items}`);
    expect(html).toMatch(/1 product with a price in both regions: €[\d.]+, £[\d.]+ here\./);
    expect(html).toContain(`href="/compare?region=ie&amp;items=${ie}:2">Compare there</a>`);
    const [alone] = await explorer.rows('basket-swaps', `items=${moved[0]}`);
    expect(html).toContain(`${escaped(alone!['title'])} has no sure match there; nearest: `);
  });

  it('a form changes quantities, a link removes an item, and an unknown product is named', async () => {
    const { moved } = await some();
    const html = await page(`/compare?items=${moved[0]}:2,${moved[1]}`);
    expect(html).toContain(`<option value="${moved[0]}:2" selected>2</option>`);
    expect(html).toContain(`<option value="${moved[0]}:3">3</option>`);
    expect(html).toMatch(new RegExp(`href="/compare\\?items=${moved[1]}" aria-label="Remove `));
    const changed = await page(`/compare?items=${moved[0]}:3&items=&region=uk&items=${moved[2]}`);
    expect(changed).toContain(`<option value="${moved[0]}:3" selected>3</option>`);
    expect(changed).toContain(`<option value="${moved[2]}" selected>1</option>`);
    expect(await page(`/product?product=${moved[0]}`)).toMatch(new RegExp(`href="/compare\\?[^"]*items=${moved[0]}`));
    expect(await page('/compare?items=absent')).toContain('Unknown here, so left out: absent');
  });

  it('products are added from the search, with its filters and pages', async () => {
    const { moved } = await some();
    const kept = `<input type="hidden" name="items" value="${moved[0]}:2"/>`;
    const html = await page(`/compare?items=${moved[0]}:2`);
    expect(html).toMatch(new RegExp(`<form id="find"[^>]* action="/find".*?${kept}`));
    const found = await page(`/find?items=${moved[0]}:2`);
    expect(found).toMatch(new RegExp(`<form action="/compare"[^>]*>.*?${kept}.*Add to the comparison`));
    expect(found).toMatch(/rel="next" href="[^"]*items=/);
  });
});
