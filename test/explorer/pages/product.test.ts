import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import type { ProductFacts } from '../../../src/questions/product.ts';
import { dateOf, dayOf } from '../../../src/web/charts/days.ts';
import { GoodPrice } from '../../../src/web/pages/good-price.tsx';
import { pastOf } from '../../../src/web/past-prices.ts';
import { longDate } from '../../../src/web/words.ts';
import { insert } from '../../support/insert.ts';
import { book, useExplorer } from '../explorer-book.ts';
import { readCsv } from '../read-csv.ts';
import { offer } from './unknown-offer.ts';

const explorer = useExplorer();

/** Of the British products of the first night the one that most happens to. */
async function eventful(): Promise<string> {
  const [most] = await explorer.ask<{ product_id: string }>(
    `select product_id from marts.fct_price_spell where region = 'uk'
     group by 1 having min(valid_from) = '${book.firstNight}' order by count(distinct price) desc, 1 limit 1`,
  );
  return most!.product_id;
}

interface Chart {
  readonly title: string;
  readonly first: number;
  readonly days: number;
  readonly gaps: readonly [number, number][];
  readonly series: readonly { readonly spells: readonly [number, number, string][] }[];
}

/** What each chart of a page says to its script. */
function chartsOf(html: string): Chart[] {
  return [...html.matchAll(/data-chart="([^"]*)"/g)].map(([, data]) => JSON.parse(data!.replaceAll('&quot;', '"')));
}

const chartOf = (html: string, title: string) => chartsOf(html).find((chart) => chart.title === title)!;

describe('the page of a product', () => {
  it('each price is drawn on the certified nights on which it was valid, and nothing on a partial night', async () => {
    const id = await eventful();
    const html = await (await explorer.get(`/product?id=${id}&span=all`)).text();
    const { first, days, gaps, series } = chartOf(html, 'Price');
    expect([dateOf(first), days]).toEqual([book.firstNight, dayOf(book.lastNight) - dayOf(book.firstNight) + 1]);
    expect(gaps.map(([from, to]) => [dateOf(first + from), to - from])).toEqual([[book.partialNight, 1]]);
    const prices = await explorer.ask<{ date: string; price: string }>(
      `select snapshot_date::text as date, price from marts.fct_price_daily d
       join marts.snapshot s using (region, snapshot_date)
       where region = 'uk' and product_id = '${id}' and s.certificate <> 'partial' order by 1`,
    );
    const drawn = series[0]!.spells.flatMap(([from, to, price]) =>
      Array.from({ length: to - from }, (_, i) => ({ date: dateOf(first + from + i), price: price.replace('£', '') })),
    );
    expect(drawn.length).toBeGreaterThan(2);
    expect(drawn).toEqual(prices);
  });

  it('a price that is the usual one is called so, and only lengths shorter than the book are offered', async () => {
    const [usual] = await explorer.ask<{ id: string; price: string }>(
      `select product_id as id, min(price) as price from marts.fct_price_spell s
       where region = 'uk' and exists (
         select from marts.product_now n
         where n.product_key = s.product_key and n.availability = 'available' and n.loyalty_price is null)
         and not exists (select from marts.fct_pack_change p where p.product_key = s.product_key)
       group by 1
       having count(*) = 1 and min(valid_from) = '${book.firstNight}' and count(loyalty_price) = 0 and count(price) = 1
       order by 1 limit 1`,
    );
    const html = await (await explorer.get(`/product?id=${usual!.id}`)).text();
    expect(/Is it a good price\?<.*?<p class="lead">([^<]*)/s.exec(html)![1]).toBe(
      `It is the usual price: it has cost £${usual!.price} on all of 5 nights.`,
    );
    expect(html).not.toContain('Length of the charts');
  });

  it('a shelf price that never changed is a sentence, also on offer, with what members paid', async () => {
    const flat = await explorer.ask<Record<'id' | 'price' | 'members', string> & { nights: number; lower: number }>(
      `select product_id as id, min(price) as price, min(loyalty_price) as members, count(*)::int as nights,
         count(loyalty_price)::int as lower
       from marts.fct_price_daily d
       where region = 'uk'
         and exists (select from marts.fct_promotion p where p.region = d.region and p.product_id = d.product_id)
       group by 1
       having count(distinct price) = 1 and count(distinct loyalty_price) < 2 and count(price) = count(*)`,
    );
    for (const isLower of [false, true]) {
      const { id, price, members, nights, lower } = flat.find((one) => one.lower > 0 === isLower)!;
      const html = await (await explorer.get(`/product?id=${id}&span=all`)).text();
      const [, said] = /Price, night by night<.*?<p class="lead">(.*?)<\/p>/s.exec(html)!;
      const paid = isLower ? ` Members paid £${members} on ${lower} of them.` : '';
      expect(said).toMatch(`It cost £${price} on all of ${nights} nights.${paid} <a href="#offers">`);
      expect(chartsOf(html).filter(({ title }) => title === 'Price')).toEqual([]);
    }
  });

  it('the price of a gone product is called its last, and neither price nor pack is drawn after it', async () => {
    const [gone] = await explorer.ask<{ product_id: string; since: string }>(
      `select n.product_id, min(a.valid_from)::text as since
       from marts.product_now n
       join marts.fct_availability_spell a on a.region = n.region and a.product_id = n.product_id
       where n.region = 'uk' and n.availability = 'delisted' and a.availability in ('absent', 'delisted')
         and not exists (
           select from marts.fct_availability_spell back
           where back.region = 'uk'
             and back.product_id = n.product_id
             and back.previous_availability in ('absent', 'delisted')
             and back.availability not in ('absent', 'delisted'))
         and exists (
           select from marts.fct_pack_size_spell pack
           where pack.region = 'uk' and pack.product_id = n.product_id)
       group by 1 order by 1 limit 1`,
    );
    const html = await (await explorer.get(`/product?id=${gone!.product_id}&span=all`)).text();
    expect(html).toContain(`Last known price: the product is not listed since the night of ${longDate(gone!.since)}`);
    const charts = chartsOf(html).filter(({ title }) => title === 'Price' || title.startsWith('Pack size'));
    expect(charts.length).toBeGreaterThan(0);
    for (const { first, series } of charts) {
      const reached = Math.max(...series.flatMap(({ spells }) => spells.map(([, to]) => first + to)));
      // The night before may be one that is hatched.
      expect(reached).toBeLessThanOrEqual(dayOf(gone!.since));
    }
    const [listed] = await explorer.ask<{ product_id: string }>(
      `select product_id from marts.product_now where region = 'uk' and availability = 'available' limit 1`,
    );
    expect(await (await explorer.get(`/product?id=${listed!.product_id}`)).text()).not.toContain('Last known price');
  });

  it('a pack that shrank is announced with its effect, and the price is judged per unit', async () => {
    const [pack] = await explorer.ask<{ id: string; key: number; unit: string }>(
      `select product_id as id, product_key as key, unit_of_measure as unit from marts.product_now
       where region = 'uk' and availability = 'available' and unit_of_measure = 'kg' order by 1 limit 1`,
    );
    await insert(explorer.db, 'derived.pack_change', [
      {
        ...{ region: 'uk', product_key: pack!.key, changed_at: `${book.partialNight}T02:00:00Z`, route: 'in_place' },
        ...{
          snapshot_date: book.partialNight,
          confirmed_on: book.lastNight,
          evidence: 'title, unit price',
          score: 0.95,
        },
        ...{ measure: 'g', old_size: 1100, new_size: 1000, old_price_minor: 200, new_price_minor: 200 },
      },
    ]);
    const html = await (await explorer.get(`/product?id=${pack!.id}`)).text();
    const [banner] = /The pack shrank from [^<]*/.exec(html)!;
    expect(banner).toBe('The pack shrank from 1,100 to 1,000 g on 8 June: 10.0% more per kg.');
    expect(html.indexOf(banner)).toBeLessThan(html.indexOf('Price, night by night'));
    expect(/Is it a good price\?<.*?<p class="lead">([^<]*)/s.exec(html)![1]).toContain(` per ${pack!.unit}`);
  });

  it('a price below the usual one is not praised more than the verdict on its offer allows', async () => {
    const [facts] = await explorer.ask<ProductFacts>(
      `select *, 'kg' as unit_of_measure from marts.product_now where loyalty_price < price limit 1`,
    );
    const spell = (valid_from: string, valid_to: string | null, loyalty_price: string | null) => ({
      ...{ valid_from, valid_to, loyalty_price, price: '3.70', unit_price: null, unit_of_measure: null },
    });
    const spells = [spell('2026-06-01', '2026-06-20', null), spell('2026-06-20', null, '3.00')];
    const lead = (verdict_label: string) =>
      /<p class="lead">([^<]*)/.exec(
        renderToString(
          GoodPrice({
            ...{ facts: { ...facts!, price: '3.70', loyalty_price: '3.00', currency: 'GBP' }, spells },
            ...{ last: '2026-06-21', offer: { ...offer, verdict_label }, byUnit: undefined, isPerUnit: false },
          }),
        ),
      )![1];
    const rest = ': members pay £3.00; the usual price is £3.70. It has not been cheaper in 21 nights.';
    expect(lead('real')).toBe(`Yes${rest}`);
    expect(lead('overstated')).toBe(`Yes, but by less than the offer promises${rest}`);
    expect(lead('no reduction')).toBe(`Yes, but no lower than before the offer${rest}`);
  });

  it('a price per kg that only members pay is on a label, in the answer and in the chart', async () => {
    const [offer] = await explorer.ask<{ id: string; reduced: string; unit: string }>(
      `select c.product_id as id, c.reduced_price as reduced, n.unit_of_measure as unit
       from marts.fct_promotion_check c join marts.product_now n using (region, product_id)
       where c.region = 'uk' and c.basis = 'unit_price' and n.on_promotion and n.loyalty_price is null
         and (c.ended_on is null or c.ended_on > '${book.lastNight}')
       order by 1 limit 1`,
    );
    const html = await (await explorer.get(`/product?id=${offer!.id}`)).text();
    expect(html).toMatch(
      new RegExp(`Members</span><span class="amount">£${offer!.reduced}</span><span class="per">per ${offer!.unit}<`),
    );
    expect(html).toContain(` Members pay £${offer!.reduced} per ${offer!.unit} now`);
    expect(JSON.stringify(chartOf(html, `Price per ${offer!.unit}`).series)).toContain(`£${offer!.reduced}`);
  });

  it('a usual price that is the shelf price is not called one for members', () => {
    const nights = (from: number, to: number, paid: number) => ({ from, to, shelf: 3.7, paid });
    expect(pastOf([nights(0, 4, 2.85), nights(4, 14, 3.7)])).toMatchObject({ usual: 3.7, isUsualOfMembers: false });
    expect(pastOf([nights(0, 10, 2.85), nights(10, 14, 3.7)])).toMatchObject({ usual: 2.85, isUsualOfMembers: true });
  });

  it('the shelf of a product compares what members pay for a unit', async () => {
    const [own] = await explorer.ask<{ id: string; unit: string }>(
      `select product_id as id, unit_price * loyalty_price / price as unit from marts.product_now
       where region = 'uk' and loyalty_price < price and unit_price > 0 and availability = 'available'
       order by unit_price * loyalty_price / price desc limit 1`,
    );
    const shelf = await (await explorer.get(`/product.csv?id=${own!.id}&table=shelf`)).text();
    const rows = readCsv(shelf);
    expect(rows.length).toBeGreaterThan(0);
    for (const { unit_price, price, loyalty_price } of rows)
      expect((Number(unit_price) * Number(loyalty_price || price)) / Number(price)).toBeLessThan(Number(own!.unit));
  });

  it('the page of a product links to its match, which links back', async () => {
    const [pair] = await explorer.ask<{ uk: string; ie: string }>(
      'select uk_product_id as uk, ie_product_id as ie from marts.region_match limit 1',
    );
    const british = await (await explorer.get(`/product?region=uk&id=${pair!.uk}`)).text();
    expect(british).toContain(`href="/product?region=ie&amp;id=${pair!.ie}"`);
    const irish = await (await explorer.get(`/product?region=ie&id=${pair!.ie}`)).text();
    expect(irish).toContain(`href="/product?region=uk&amp;id=${pair!.uk}"`);
  });
});
