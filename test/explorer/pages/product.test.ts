import { describe, expect, it } from 'vitest';
import { dateOf, dayOf } from '../../../src/web/charts/days.ts';
import { pastOf } from '../../../src/web/kernel/past-prices.ts';
import type { Verdict } from '../../../src/web/kernel/verdicts.ts';
import { longDate, shortDate } from '../../../src/web/kernel/words.ts';
import { sentence } from '../../../src/web/pages/good-price.tsx';
import { insert } from '../../support/insert.ts';
import { book, useExplorer } from '../explorer-book.ts';

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
  readonly bands: readonly [number, number, string][];
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
    const html = await explorer.page(`/product?product=${id}`);
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

  it('the history has the last night of each price', async () => {
    const id = await eventful();
    const spells = await explorer.ask<{ last: string | null }>(
      `select (valid_to - 1)::text as last from marts.fct_price_spell
       where region = 'uk' and product_id = '${id}' order by valid_from desc`,
    );
    expect(spells.length).toBeGreaterThan(1);
    const [, history = ''] = /<caption[^>]*>Prices<(.*?)<\/table>/s.exec(
      await explorer.page(`/product?product=${id}`),
    )!;
    const cells = [...history.matchAll(/<tr>.*?<\/td><td[^>]*>([^<]*)/gs)].map(([, cell]) => cell);
    expect(cells).toEqual(spells.map(({ last }) => (last === null ? 'now' : shortDate(last))));
  });

  it('the price of what is gone or out of stock is called its last, and no price is drawn after it', async () => {
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
       group by 1 order by 1 limit 1`,
    );
    const html = await explorer.page(`/product?product=${gone!.product_id}`);
    expect(html).toContain(`Not for sale since the night of ${longDate(gone!.since)}.`);
    const charts = chartsOf(html).filter(({ title }) => title.startsWith('Price'));
    expect(charts.length).toBeGreaterThan(0);
    for (const { first, series } of charts) {
      const reached = Math.max(...series.flatMap(({ spells }) => spells.map(([, to]) => first + to)));
      // The night before may be one that is hatched.
      expect(reached).toBeLessThanOrEqual(dayOf(gone!.since));
    }
    const [out] = await explorer.ask<{ id: string }>(`select product_id as id from marts.product_now
      where region = 'uk' and availability = 'unavailable' order by price nulls first limit 1`);
    const outHtml = await explorer.page(`/product?product=${out!.id}`);
    expect(outHtml).toMatch(/Not for sale since .*Last price.*<span class="amount">£/s);
  });

  it('a pack that shrank is announced with its effect, and the price is judged per unit', async () => {
    const [pack] = await explorer.ask<{ id: string; key: number; unit: string }>(
      `select product_id as id, product_key as key, unit_of_measure as unit from marts.product_now
       where region = 'uk' and availability = 'available' and unit_of_measure = 'kg'
         and product_id not in (select product_id from marts.fct_pack_change) order by 1 desc limit 1`,
    );
    await insert(explorer.db, 'derived.pack_change', [
      {
        ...{ region: 'uk', product_key: pack!.key, changed_at: `${book.partialNight}T02:00:00Z`, route: 'in_place' },
        ...{
          snapshot_date: dateOf(dayOf(book.partialNight) + 1),
          confirmed_on: book.lastNight,
          evidence: 'title, unit price',
          score: 0.95,
        },
        ...{ measure: 'g', old_size: 1100, new_size: 1000, old_price_minor: 200, new_price_minor: 200 },
      },
    ]);
    const html = await explorer.page(`/product?product=${pack!.id}`);
    const [banner] = /The pack shrank from [^<]*/.exec(html)!;
    expect(banner).toMatch(
      /from 1,100 to 1,000 g on 9 June: 10.0% more per kg that night, [\d.]+% more by now\. The shop rounds /,
    );
    expect(chartOf(html, 'Price').bands.map(([, , words]) => words)).toContain('Pack: 1,100 → 1,000 g');
    expect(/Is it a good price\?<.*?<p class="lead">([^<]*)/s.exec(html)![1]).toContain(` per ${pack!.unit}`);
  });

  it('a price is held against the nights on which the product was for sale', async () => {
    const [some] = await explorer.ask<{ id: string; nights: number }>(
      `select product_id as id, (sum(coalesce(valid_to, '${book.lastNight}'::date + 1) - valid_from)
         filter (where availability = 'available'))::int as nights
       from marts.fct_availability_spell where region = 'uk' and availability in ('available', 'unavailable')
       group by 1 having count(distinct availability) = 2 and bool_or(availability = 'available' and valid_to is null)
       order by 1 limit 1`,
    );
    expect(await explorer.page(`/product?product=${some!.id}`)).toContain(`>against ${some!.nights} night`);
  });

  it('a price below the usual one is not praised more than the verdict on its offer allows', () => {
    const past = pastOf([
      { from: 0, to: 19, shelf: 3.7, paid: 3.7 },
      { from: 19, to: 21, shelf: 4.1, paid: 3 },
    ])!;
    expect(past.high).toBe(4.1);
    const said = (verdict: Verdict) =>
      sentence(past, 3, { who: 'members pay', each: '', verdict }, (value) => `£${value.toFixed(2)}`);
    const rest = ': members pay £3.00; the usual price with a card is £3.70. It has not been cheaper in 21 nights.';
    expect(said('real')).toBe(`Yes${rest}`);
    expect(said('overstated')).toBe(`Yes, but by less than the offer promises${rest}`);
    expect(said('no-reduction')).toBe(`Yes, but no lower than before the offer${rest}`);
  });

  it('a price per kg that only members pay is on a label, in the answer and in the chart', async () => {
    const [offer] = await explorer.ask<{ id: string; reduced: string; unit: string }>(
      `select c.product_id as id, c.reduced_price as reduced, n.unit_of_measure as unit
       from marts.fct_promotion_check c join marts.product_now n using (region, product_id)
       where c.region = 'uk' and c.basis = 'unit_price' and n.on_promotion and n.loyalty_price is null
         and n.availability = 'available' and (c.ended_on is null or c.ended_on > '${book.lastNight}')
       order by 1 limit 1`,
    );
    const html = await explorer.page(`/product?product=${offer!.id}`);
    const per = `<span class="per">per ${offer!.unit}<`;
    expect(html).toContain(`Members</span><span class="amount">£${offer!.reduced}</span>${per}`);
    expect(html).toMatch(new RegExp(`<p class="lead">[^<]*members pay [^<]* per ${offer!.unit}`));
    expect(await explorer.page(`/find?offer=loyalty&words=${offer!.id}`)).toContain(`£${offer!.reduced} members<`);
    expect(JSON.stringify(chartOf(html, `Price per ${offer!.unit}`).series)).toContain(`£${offer!.reduced}`);
  });
});
