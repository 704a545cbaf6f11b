import { describe, expect, it } from 'vitest';
import { deriveNights, forgetDerived } from '../../../src/followers/derive/derive-nights.ts';
import { dealOf } from '../../../src/web/prior-price.ts';
import { book, useExplorer } from '../explorer-book.ts';
import { readCsv } from '../read-csv.ts';

const explorer = useExplorer();

const csv = async (parameters: string) => readCsv(await (await explorer.get(`/promotions.csv?${parameters}`)).text());

async function allPages(parameters: string) {
  const all: Record<string, string | null>[] = [];
  for (let page = 1; ; page += 1) {
    const rows = await csv(`${parameters}&page=${page}`);
    if (rows.length === 0) return all;
    all.push(...rows);
  }
}

const idsOf = (rows: readonly { product_id?: unknown; description?: unknown }[]) =>
  rows.map((row) => `${row.product_id} ${row.description}`).sort();

describe('the promotions page', () => {
  it('promotions are counted by week, verdict and depth as they are listed one by one', async () => {
    const rows = await allPages('nights=31');
    const verdicts = await csv('nights=31&table=verdicts');
    const depths = await csv('nights=31&table=depths');
    const sum = (table: typeof rows) => table.reduce((all, row) => all + Number(row['promotions']), 0);
    expect(rows.length).toBeGreaterThan(10);
    expect([sum(verdicts), sum(depths)]).toEqual([rows.length, rows.length]);
    for (const label of ['real', 'overstated', 'no reduction', 'too early to tell', null]) {
      const same = (table: typeof rows) => table.filter((row) => row['verdict_label'] === label);
      expect([label, sum(same(verdicts))]).toEqual([label, same(rows).length]);
    }
    const deep = rows.filter(
      (row) => row['announced_pct'] !== null && Number(row['announced_pct']) >= 20 && Number(row['announced_pct']) < 30,
    );
    expect(Number(depths.find(({ depth_from }) => depth_from === '20')?.['promotions'] ?? 0)).toBe(deep.length);
  });

  it.each([
    ['deepest', 'stated_percent desc nulls last'],
    ['least', 'real_pct nulls last'],
  ])('promotions with the %s first are in the order of the mart on every page', async (sort, order) => {
    const expected = await explorer.ask<{ row: string }>(`
      select product_id || ' ' || description as row from marts.fct_promotion_check
      where region = 'uk' order by ${order}, product_key, promotion_key`);
    expect(
      (await allPages(`nights=31&sort=${sort}`)).map((row) => `${row['product_id']} ${row['description']}`),
    ).toEqual(expected.map(({ row }) => row));
  });

  it('active promotions and ended promotions together are all promotions', async () => {
    const [all, running, over] = await Promise.all(
      ['any', 'yes', 'no'].map((one) => allPages(`nights=31&running=${one}`)),
    );
    expect(idsOf([...running!, ...over!])).toEqual(idsOf(all!));
    expect(running!.every(({ ended_on }) => ended_on === null || ended_on! > book.lastNight)).toBe(true);
  });

  it("a failed promotion names the price and night that contradict it, also on the product's page", async () => {
    const failed = await allPages('nights=31&verdict=not-real');
    expect(failed.length).toBeGreaterThan(0);
    for (const row of failed.filter(({ basis }) => basis === 'price')) {
      const [night] = await explorer.ask<{ date: string }>(`
        select max(d.snapshot_date)::text as date
        from marts.fct_promotion_check c join marts.fct_price_daily d using (product_key)
        join marts.snapshot n on n.region = 'uk' and n.snapshot_date = d.snapshot_date
        where c.region = 'uk' and c.product_id = '${row['product_id']}' and c.snapshot_date = '${row['snapshot_date']}'
          and c.description = '${row['description']!.replaceAll("'", "''")}'
          and least(d.price, d.loyalty_price) = c.compared_price
          and n.certificate <> 'partial' and d.snapshot_date < c.series_began_on`);
      expect(row['compared_on']).toBe(night!.date);
    }
    const [first] = failed;
    const why = /(?:It cost|Members paid) £[\d.]+ on \d+ Jun: [^<]+/;
    expect(await (await explorer.get('/promotions?nights=31&verdict=not-real')).text()).toMatch(why);
    expect(await (await explorer.get(`/product?region=uk&id=${first!['product_id']}`)).text()).toMatch(why);
  });

  it('short lists name the number of running offers of each verdict and link to all of them', async () => {
    const html = await (await explorer.get('/promotions?nights=31')).text();
    const links = [...html.matchAll(/<a class="more" href="\/promotions\?([^"]*)">All (\d+) running/g)];
    expect(links.length).toBeGreaterThan(0);
    for (const [, query, count] of links) {
      const address = query!.replaceAll('&amp;', '&');
      expect((await allPages(address)).length).toBe(Number(count));
      expect(await (await explorer.get(`/promotions?${address}`)).text()).toContain(`<h1>${count} running offer`);
    }
  });

  it('no list shows an offer as real or undecided that saves members nothing', async () => {
    const spared = await allPages('nights=31&verdict=any');
    const undecided = spared.filter(({ verdict_label: label }) => label === 'real' || label === 'too early to tell');
    const saving = await explorer.ask<{ product_id: string; description: string }>(
      `select product_id, description from marts.fct_promotion_check
       where region = 'uk' and prior_price_check is distinct from 'fail'
         and member_price_check is distinct from 'fail'`,
    );
    expect(undecided.length).toBeGreaterThan(0);
    expect(idsOf(saving)).toEqual(expect.arrayContaining(idsOf(undecided)));
  });

  it('the page states once that the history is too short for a pass', async () => {
    const html = await (await explorer.get('/promotions')).text();
    expect(html.split('The data begin on 6 June 2026.').length - 1).toBe(1);
    expect(html).toContain('began before 6 July 2026 can have it.');
    expect(html).toContain('the former price that the text names');
    expect(html).toMatch(/<h1>\d+ discounts? already known to overstate; \d+ too early to tell<\/h1>/);
  });

  it('while a published night is not yet derived, the page shows the promotions of the night before', async () => {
    const last = () => csv('table=now');
    const before = await last();
    expect(before[0]!['snapshot_date']).toBe(book.lastNight);
    await explorer.db.tx((tx) => forgetDerived(tx, 'uk', book.lastNight));
    const html = await (await explorer.get('/promotions')).text();
    expect(html).toContain('action="/promotions"');
    expect((await last())[0]!['snapshot_date']).toBe('2026-06-09');
    await deriveNights(explorer.db, 'uk');
    expect(await last()).toEqual(before);
  });
});

it('a deal on several is compared with the lowest price of one', () => {
  const none = { reduced_price: null, reference_price: null, prior_price: null, compared_price: null } as const;
  const unjudged = { compared_on: null, stated_percent: null, real_pct: null, verdict_label: null } as const;
  const deal = (effective_quantity: number | null, effective_price: string | null, prior: string | null = null) =>
    dealOf({
      ...{ ...none, ...unjudged, effective_quantity, effective_price, prior_30_day_price: prior },
      ...{ currency: 'GBP', shelf_price: '2.00', prior_price_reason: 'deal_on_several' },
      ...{ prior_nights_known: null, prior_nights_needed: null },
    });
  expect(deal(5, '2.0000')).toMatchObject({
    badge: 'no saving',
    sentence: 'If you take 5, £2.00 each: not less than £2.00 for one.',
  });
  expect(deal(4, '1.5000')?.sentence).toBe('If you take 4, £1.50 each: 25% less than £2.00 for one.');
  expect(deal(4, '1.5000', '1.60')).toMatchObject({
    badge: '6.3% less if you take 4',
    sentence: 'If you take 4, £1.50 each: 6.3% less than the £1.60 that one had cost before.',
  });
  expect(deal(null, null)).toBeNull();
});
