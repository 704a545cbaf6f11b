import { describe, expect, it } from 'vitest';
import { dateOf, dayOf } from '../../../src/web/charts/days.ts';
import { book, useExplorer } from '../explorer-book.ts';

const explorer = useExplorer();

/** Of the British products of the first night the one that most happens to. */
async function eventful(): Promise<string> {
  const [most] = await explorer.ask<{ product_id: string }>(
    `select product_id from marts.fct_price_spell where region = 'uk'
     group by 1 having min(valid_from) = '${book.firstNight}' order by count(*) desc, 1 limit 1`,
  );
  return most!.product_id;
}

describe('the page of a product', () => {
  it('each price is drawn on the certified nights on which it was valid, and nothing on a partial night', async () => {
    const id = await eventful();
    const html = await (await explorer.get(`/product?id=${id}&span=all`)).text();
    const drawing = /<desc id="price-description">[\s\S]*?<\/svg>/.exec(html)![0];
    const [, gap] = /class="gap"[^>]* d="M([\d.]+) /.exec(drawing)!;
    const [, end] = /class="gap"[^>]* d="M[\d.]+ \d+H([\d.]+)/.exec(drawing)!;
    const line = /class="line s0" d="([^"]+)"/.exec(drawing)![1]!;
    const reaches = line
      .split('M')
      .filter(Boolean)
      .map((stroke) => {
        const xs = [...stroke.matchAll(/(?:^|H)([\d.]+)/g)].map((match) => Number(match[1]));
        return [xs[0]!, xs.at(-1)!] as const;
      });
    expect(reaches.length).toBeGreaterThan(1);
    for (const [from, to] of reaches) expect(to <= Number(gap) || from >= Number(end)).toBe(true);
    // The gap is where that night is among the days of the chart.
    const days = dayOf(book.lastNight) - dayOf(book.firstNight) + 1;
    const width = (712 - 64) / days;
    expect(Number(gap)).toBeCloseTo(64 + (dayOf(book.partialNight) - dayOf(book.firstNight)) * width, 0);
    expect(dateOf(dayOf(book.partialNight))).toBe(book.partialNight);
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
    expect(html).toContain(`last known price: the product is not listed since the night of ${gone!.since}`);
    const [first] = /<desc[^>]*>From ([\d-]+) to/.exec(html)!.slice(1);
    const width = (712 - 64) / (dayOf(book.lastNight) - dayOf(first!) + 1);
    const end = 64 + (dayOf(gone!.since) - dayOf(first!)) * width;
    for (const chart of ['price', 'pack-0']) {
      const line = new RegExp(`id="${chart}-title"[\\s\\S]*?class="line s0" d="([^"]*)"`).exec(html)![1]!;
      const reached = Math.max(...[...line.matchAll(/H([\d.]+)/g)].map(([, x]) => Number(x)));
      // The night before may be one that is hatched.
      expect([chart, reached > 64 && reached < end + 0.1]).toEqual([chart, true]);
    }
    const [listed] = await explorer.ask<{ product_id: string }>(
      `select product_id from marts.product_now where region = 'uk' and availability = 'available' limit 1`,
    );
    expect(await (await explorer.get(`/product?id=${listed!.product_id}`)).text()).not.toContain('last known price');
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

  it('each value states since which night and run it is valid, and details name their payload', async () => {
    const [read] = await explorer.ask<{ product_id: string; payload_sha256: string; run_id: number }>(
      `select d.product_id, d.payload_sha256, d.run_id from marts.detail_payload d
       join marts.dim_product p using (region, product_id) where d.region = 'uk' and p.description is not null
       order by d.run_id limit 1`,
    );
    const html = await (await explorer.get(`/product?id=${read!.product_id}`)).text();
    expect(html).toContain(read!.payload_sha256);
  });

  it('an unknown product is a sentence with status 404', async () => {
    const response = await explorer.get('/product?id=absent');
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('There is no product absent in region uk.');
    expect((await explorer.get('/product')).status).toBe(400);
  });
});
