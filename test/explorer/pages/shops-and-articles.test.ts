import { beforeAll, describe, expect, it } from 'vitest';
import { deriveNights, forgetDerived } from '../../../src/followers/derive/derive-nights.ts';
import { share } from '../../../src/web/words.ts';
import { insert } from '../../support/insert.ts';
import { book, useExplorer } from '../explorer-book.ts';
import { readCsv } from '../read-csv.ts';

const explorer = useExplorer();

const csv = async (address: string) => readCsv(await (await explorer.get(address)).text());
const page = async (address: string) => (await explorer.get(address)).text();

/** Rows of all pages of a list; a table without pages is its own first page. */
async function everyPage(address: string) {
  const rows: Record<string, string | null>[] = [];
  for (let at = 1; ; at += 1) {
    const more = await csv(`${address}&page=${at}`);
    rows.push(...more);
    if (!address.includes('table=articles') || more.length === 0) return rows;
  }
}

describe('shrinkflation', () => {
  beforeAll(async () => {
    const { rows } = await explorer.db.query<{ product_key: number }>(
      `select product_key from catalog.product where region = 'uk' order by product_key limit 3`,
    );
    const change = (i: number, more: object) => ({
      region: 'uk',
      product_key: rows[i]!.product_key,
      snapshot_date: book.lastNight,
      confirmed_on: book.lastNight,
      changed_at: `${book.lastNight}T02:00:00Z`,
      route: 'in_place',
      old_size: 85,
      new_size: 80,
      measure: 'g',
      old_price_minor: 170,
      new_price_minor: 170,
      evidence: 'title, details',
      score: 0.95,
      ...more,
    });
    await explorer.db.query('delete from derived.pack_change');
    await insert(explorer.db, 'derived.pack_change', [
      change(0, {}),
      change(1, { route: 'new_gtin', old_size: 500, new_size: 450, new_price_minor: 150, snapshot_date: '2026-06-09' }),
      change(2, { old_size: 4, new_size: 6, measure: 'each' }),
    ]);
  });

  it('shrinkflation shows both sizes of a pack, and what a unit costs now, before and after the change', async () => {
    const html = await page('/shrinkflation');
    expect(html).toContain('85 g');
    expect(html).toContain('£20.00 / kg');
    expect(html).toContain('£21.25 / kg');
    const packs = await csv('/shrinkflation.csv');
    const changes = packs.map((pack) => 100 * (Number(pack['unit_price_now']) / Number(pack['old_unit_price']) - 1));
    for (const change of changes)
      expect(html).toContain(
        `${Math.abs(change).toFixed(1)}%<span class="hidden"> ${change > 0 ? 'more' : 'less'}</span>`,
      );
    const dearer = changes.filter((change) => change > 0).length;
    expect(html).toContain(`<h1>${packs.length} packs shrank; ${dearer} cost more per unit now</h1>`);
    expect(html).toContain('−5.9%');
    expect(html).not.toContain('6 pieces');
  });
});

/** Brands of British products. */
async function brandsOf(rows: readonly { readonly [name: string]: string | null }[]): Promise<(string | null)[]> {
  const known = await explorer.ask<{ product_id: string; brand: string | null }>(
    `select product_id, brand from marts.dim_product where region = 'uk'`,
  );
  const brands = new Map(known.map(({ product_id, brand }) => [product_id, brand]));
  return rows.map((row) => brands.get(row['product_id']!) ?? null);
}

it('the brands whose packs shrank are counted, and link to their packs', async () => {
  const shrunk = await csv('/shrinkflation.csv');
  const brands = await csv('/shrinkflation.csv?table=brands');
  const counted = new Map<string | null, number>();
  for (const written of await brandsOf(shrunk)) {
    const brand = written?.toLowerCase() ?? null;
    counted.set(brand, (counted.get(brand) ?? 0) + 1);
  }
  expect(new Map(brands.map(({ brand, shrank }) => [brand?.toLowerCase() ?? null, Number(shrank)]))).toEqual(counted);
  const named = brands.find(({ brand }) => brand !== null)!['brand']!;
  const words = encodeURIComponent(named);
  const ofBrand = await csv(`/shrinkflation.csv?words=${words}`);
  expect(ofBrand.map(({ product_id }) => product_id)).toEqual(
    shrunk.filter(({ brand }) => brand === named).map(({ product_id }) => product_id),
  );
});

describe('the United Kingdom and Ireland', () => {
  it('articles are compared by words of the British title, together and one by one', async () => {
    const gaps = await explorer.ask<{ uk_product_id: string; uk_title: string; ratio: number; rate: string }>(`
      select uk_product_id, uk_title, (ie_price / uk_price)::float8 as ratio, rate from marts.fct_region_gap
      where snapshot_date = '${book.lastNight}' and uk_price > 0 and ie_price > 0`);
    // The name of the goods rather than of a brand.
    const wordsOf = (title: string) => title.toLowerCase().split(/[^a-z]+/);
    const word = wordsOf(gaps[0]!.uk_title).findLast((one) => one.length > 3)!;
    const [listed, together] = await Promise.all(
      ['articles', 'nights'].map((table) =>
        everyPage(`/uk-ireland.csv?table=${table}&match=all&words=${encodeURIComponent(word)}`),
      ),
    );
    const expected = gaps.filter(({ uk_title }) => wordsOf(uk_title).some((one) => one.startsWith(word)));
    expect(expected.length).toBeLessThan(gaps.length);
    expect(listed!.map(({ uk_product_id }) => uk_product_id).sort()).toEqual(
      expected.map(({ uk_product_id }) => uk_product_id).sort(),
    );
    const parity = Math.exp(expected.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / expected.length);
    const { matched_products, parity: shown, gap_pct } = together!.at(-1) as Record<string, string>;
    expect([Number(matched_products), Number(shown)]).toEqual([expected.length, expect.closeTo(parity, 3)]);
    expect(Number(gap_pct)).toBeCloseTo(100 * (parity * Number(gaps[0]!.rate) - 1), 1);
    const many = `${expected.length} product${expected.length === 1 ? '' : 's'}`;
    expect(await page(`/uk-ireland?words=${encodeURIComponent(word)}`)).toContain(
      `<h1>Of ${many} with “${word}” sold in both, `,
    );
    expect(await csv('/uk-ireland.csv?table=nights&words=zzzz')).toEqual([]);
  });

  it.each(['uk', 'ie'])(
    'the heading says how many products are dearer elsewhere, and by how much, from %s',
    async (at) => {
      const gaps = await explorer.ask<{ gap: number; tier: number }>(`
      select 100 * (power(ie_price * 0.8 / uk_price, ${at === 'uk' ? 1 : -1}) - 1)::float8 as gap, tier
      from marts.fct_region_gap
      where snapshot_date = '${book.lastNight}' and uk_price > 0 and ie_price / uk_price between 0.1 and 10`);
      const [all, ...steps] = await csv(`/uk-ireland.csv?table=spread&rate=0.8&region=${at}`);
      const [dearer, cheaper] = [gaps.filter(({ gap }) => gap >= 1).length, gaps.filter(({ gap }) => gap < -1).length];
      const counted = [all!['products'], all!['dearer'], all!['cheaper']];
      expect(counted).toEqual([gaps.length, dearer, cheaper].map(String));
      const inSteps = (are: (step: number) => boolean) =>
        steps.filter(({ step }) => are(Number(step))).reduce((sum, { products }) => sum + Number(products), 0);
      expect([inSteps((step) => step > 4), inSteps((step) => step < 4)]).toEqual([dearer, cheaper]);
      expect(steps.reduce((sum, { products }) => sum + Number(products), 0)).toBe(gaps.length);
      const logs = gaps.map(({ gap }) => Math.log(1 + gap / 100));
      const average = 100 * (Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length) - 1);
      expect(Number(all!['average_pct'])).toBeCloseTo(average, 1);
      const [whole, ...departments] = await csv(`/uk-ireland.csv?rate=0.8&region=${at}`);
      const sizes = departments.map(({ gap_pct }) => Math.abs(Number(gap_pct)));
      expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
      expect(whole!['gap_pct']).toBe(all!['average_pct']);
      const other = at === 'uk' ? 'Ireland' : 'the United Kingdom';
      const html = await page(`/uk-ireland?rate=0.8&region=${at}`);
      const farthest = `${departments[0]!['department']!.replaceAll('&', '&amp;')}, ${share(sizes[0])} `;
      expect(html).toContain(`The farthest apart is ${farthest}`);
      const sure = gaps.filter(({ tier }) => tier < 3).length;
      expect(html).toContain(`The list below shows sure matches only (${sure} of ${gaps.length}).`);
      const part = (count: number) => share((100 * count) / gaps.length);
      expect(html).toContain(
        `<h1>Of ${gaps.length} products sold in both, ${part(dearer)} are dearer in ${other} and ${part(cheaper)} ` +
          `cheaper; ${share(average)} ${average > 0 ? 'dearer' : 'cheaper'} on average</h1>`,
      );
      expect(html).toContain('At your rate: £0.8 for a euro.');
    },
  );

  it('without an exchange rate, differences are against the usual one, and the page asks for a rate', async () => {
    const before = await page('/uk-ireland');
    expect(before).toContain('£0.86 for a euro (test, 6 June 2026).');
    const tag = (await explorer.get('/uk-ireland')).headers.get('etag')!;
    const again = async () => (await explorer.get('/uk-ireland', { 'if-none-match': tag })).status;
    expect(await again()).toBe(304);
    await explorer.db.query('create table kept as table ops.fx_rate; delete from ops.fx_rate');
    expect(await again()).toBe(200);
    const html = await page('/uk-ireland');
    expect(html).toMatch(/<h1>What costs £1 in the United Kingdom costs €\d\.\d\d in Ireland, for \d+ products/);
    expect(html).toContain('No rate is known for this night.');
    await explorer.db.query('insert into ops.fx_rate table kept; drop table kept');
  });

  it('the form shows the values of the address, even those of an unknown department', async () => {
    expect(await page('/uk-ireland?department=Nowhere')).toContain('<option value="Nowhere" selected>Nowhere</option>');
  });

  it('the heading and the chart are those of the chosen department', async () => {
    const [department] = (await csv('/uk-ireland.csv')).filter((row) => row['department'] !== null);
    const chosen = `department=${encodeURIComponent(department!['department']!)}`;
    const last = (await csv(`/uk-ireland.csv?table=nights&${chosen}`)).at(-1)!;
    expect(last['matched_products']).toBe(department!['matched_products']);
    expect(Number(last['parity'])).toBeCloseTo(Number(department!['parity']), 4);
    const html = await page(`/uk-ireland?${chosen}`);
    expect(html).toContain(`<h1>Of ${last['matched_products']} product`);
  });

  it('the regions are compared on nights that are certified in both', async () => {
    expect(await page(`/uk-ireland?date=${book.partialNight}`)).toContain('of the night of 7 June 2026');
    expect((await csv('/uk-ireland.csv?table=nights')).map(({ snapshot_date }) => snapshot_date)).toEqual([
      '2026-06-06',
      '2026-06-07',
      '2026-06-09',
      '2026-06-10',
    ]);
  });

  it('the regions are compared on the night before while a published night is not yet derived', async () => {
    const shown = async () => ({
      articles: await csv('/uk-ireland.csv?table=articles'),
      nights: await csv('/uk-ireland.csv?table=nights'),
    });
    const before = await shown();
    await explorer.db.tx((tx) => forgetDerived(tx, 'ie', book.lastNight));
    const meanwhile = await shown();
    expect(meanwhile.nights.at(-1)!['snapshot_date']).toBe('2026-06-09');
    expect(meanwhile.articles.length).toBeGreaterThan(3);
    // Equal ratios differ in their last digit.
    const ratios = meanwhile.articles.map(({ ie_price: ie, uk_price: uk }) => (Number(ie) / Number(uk)).toFixed(9));
    expect(ratios).toEqual(ratios.toSorted((a, b) => Number(b) - Number(a)));
    expect(new Set(meanwhile.articles.map(({ snapshot_date }) => snapshot_date))).toEqual(new Set(['2026-06-09']));
    await deriveNights(explorer.db, 'ie');
    expect(await shown()).toEqual(before);
  });

  it('products that are the same only by name are listed on request', async () => {
    const tiers = async (match: string) =>
      new Set((await everyPage(`/uk-ireland.csv?table=articles${match}`)).map(({ tier }) => Number(tier)));
    const known = await explorer.ask<{ tier: number }>('select distinct tier from marts.region_match');
    expect(known.map(({ tier }) => tier)).toContain(3);
    expect(await tiers('&match=all')).toEqual(new Set(known.map(({ tier }) => tier)));
    expect(await tiers('')).toEqual(new Set(known.map(({ tier }) => tier).filter((tier) => tier < 3)));
  });

  it('a department lists as many articles as its figures of each night state', async () => {
    const counts: unknown[] = [];
    for (const date of ['2026-06-06', '2026-06-07', '2026-06-09', '2026-06-10']) {
      for (const { department, matched_products, left_out_products } of await csv(`/uk-ireland.csv?date=${date}`)) {
        if (department === null) continue;
        const parameters = `table=articles&match=all&date=${date}&department=${encodeURIComponent(department!)}`;
        const articles = await everyPage(`/uk-ireland.csv?${parameters}`);
        counts.push([date, department, articles.length, Number(matched_products) + Number(left_out_products)]);
      }
    }
    expect(counts.length).toBeGreaterThan(10);
    expect((counts as number[][]).filter(([, , listed, figure]) => listed !== figure)).toEqual([]);
  });
});

describe('stores', () => {
  it.each([
    ['', ['3', '1', '2']],
    ['presence=both', ['3', '4', '1', '2']],
    ['presence=gone', ['4']],
    ['words=lon', ['2']],
    ['country=Ireland', ['3']],
    ['type=Express', ['2']],
  ])('stores with %s are %j, in the table and on the map', async (parameters, ids) => {
    expect((await csv(`/stores.csv?${parameters}`)).map(({ store_id }) => store_id)).toEqual(ids);
    const html = await page(`/stores?${parameters}`);
    const points = [...html.matchAll(/<path class="place( gone)?" d="([^"]*)"/g)].flatMap(
      ([, , d]) => d!.match(/M/g) ?? [],
    );
    const inKey = parameters.includes('presence') ? 2 : 1;
    expect(points.length - inKey).toBe(ids.length);
  });

  it('stores further north are drawn higher, and stores further east further right', async () => {
    const html = await page('/stores');
    const points = [...html.matchAll(/<path class="place" d="([^"]*)"/g)].at(-1)![1]!.match(/M[\d.]+ [\d.]+/g)!;
    // By latitude: London, Dublin, Leeds.
    const [london, dublin, leeds] = points.map((point) => point.slice(1).split(' ').map(Number) as [number, number]);
    expect(leeds![1]).toBeLessThan(dublin![1]);
    expect(dublin![1]).toBeLessThan(london![1]);
    expect(dublin![0]).toBeLessThan(leeds![0]);
    expect(leeds![0]).toBeLessThan(london![0]);
  });
});

describe('search ranks', () => {
  it('search ranks are the places of the last search, each with the place before', async () => {
    const rows = await csv('/searches.csv');
    const expected = await explorer.ask<{ rank: number; product_id: string; before: number | null }>(`
      select s.rank, s.product_id, b.rank as before from marts.fct_search_rank s
      left join marts.fct_search_rank b
        on b.keyword = s.keyword and b.product_id = s.product_id and b.snapshot_date = '${book.firstNight}'
      where s.keyword = 'milk <i>' and s.snapshot_date = '${book.lastNight}' order by s.rank`);
    expect(rows).toHaveLength(7);
    expect(
      rows.map(({ rank, product_id, rank_before }) => [Number(rank), product_id, rank_before && Number(rank_before)]),
    ).toEqual(expected.map(({ rank, product_id, before }) => [rank, product_id, before]));
    const html = await page('/searches');
    expect(html).toContain('7 ▲ up 6');
    expect(html).toContain('1 ▼ down 6');
    expect(html).toContain('<h1>Who comes first in a search for “milk &lt;i>”</h1>');
  });

  it('search ranks before the last search are those of a date, and an unknown keyword has none', async () => {
    const html = await page(`/searches?date=${book.partialNight}`);
    expect(html).toContain('search on 6 June 2026, for the first time.');
    expect(await csv('/searches.csv?keyword=tea')).toEqual([]);
    expect(await page('/searches?keyword=tea')).toContain('There is no search for this keyword.');
  });
});
