import { describe, expect, it } from 'vitest';
import { deriveNights, forgetDerived } from '../../../src/followers/derive/derive-nights.ts';
import { eachOf } from '../../../src/web/prior-price.ts';
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
    const failed = await allPages('nights=31&check=fail');
    expect(failed.length).toBeGreaterThan(0);
    for (const row of failed.filter(({ basis }) => basis === 'price')) {
      const [night] = await explorer.ask<{ date: string }>(`
        select max(d.snapshot_date)::text as date
        from marts.fct_promotion_check c join marts.fct_price_daily d using (product_key)
        join marts.snapshot n on n.region = 'uk' and n.snapshot_date = d.snapshot_date
        where c.region = 'uk' and c.product_id = '${row['product_id']}' and c.snapshot_date = '${row['snapshot_date']}'
          and c.description = '${row['description']!.replaceAll("'", "''")}' and d.price = c.prior_price
          and n.certificate <> 'partial' and d.snapshot_date < c.series_began_on`);
      expect(row['prior_price_on']).toBe(night!.date);
    }
    const [first] = failed;
    const why = /It cost £[\d.]+ on \d+ Jun: [^<]+/;
    expect(await (await explorer.get('/promotions?nights=31&check=fail')).text()).toMatch(why);
    expect(await (await explorer.get(`/product?region=uk&id=${first!['product_id']}`)).text()).toMatch(why);
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

it('a deal on several is compared with the shelf price by piece', () => {
  expect(eachOf('Any 5 for £10 Members - Biscuits', '1.95', 'GBP')?.sentence).toBe(
    'If you take 5, £2.00 each: not less than £1.95 for one.',
  );
  expect(eachOf('Any 4 for 3 - Cheapest Product Free', '2.00', 'GBP')?.sentence).toBe(
    'If you take 4, £1.50 each: 25% less than £2.00 for one.',
  );
  expect(eachOf('Half Price', '2.00', 'GBP')).toBeNull();
});
