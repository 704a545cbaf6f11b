import { describe, expect, it } from 'vitest';
import { deriveNights, forgetDerived } from '../../../src/followers/derive/derive-nights.ts';
import { badgeWords, dealOf, verdictSentence } from '../../../src/web/prior-price.ts';
import { book, useExplorer } from '../explorer-book.ts';
import { readCsv } from '../read-csv.ts';
import { offer } from './unknown-offer.ts';

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
    const why = /(?:It cost|Members paid) £[\d.]+ on \d+ Jun(?:, before them)?: [^<]+/;
    expect(await (await explorer.get('/promotions?nights=31&verdict=not-real')).text()).toMatch(why);
    expect(await (await explorer.get(`/product?region=uk&id=${first!['product_id']}`)).text()).toMatch(why);
  });

  it('short lists name the number of running offers of each verdict and link to all of them', async () => {
    const html = await (await explorer.get('/promotions?nights=31')).text();
    const links = [...html.matchAll(/<a class="more" href="\/promotions\?([^"]*)">All (\d+) running now/g)];
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
       where region = 'uk' and (compared_price is null or reduced_price < compared_price)`,
    );
    expect(undecided.length).toBeGreaterThan(0);
    expect(idsOf(saving)).toEqual(expect.arrayContaining(idsOf(undecided)));
  });

  it('offers that fail although nights before them are missing are counted apart', async () => {
    const html = await (await explorer.get('/promotions?nights=31')).text();
    const tally = /<ul class="tally">(.*?)<\/ul>/s.exec(html)![1]!;
    const counts = [...tally.matchAll(/<span>([^<]*)<\/span><b>([\d,]+)<\/b>/g)].map(([, name, count]) => [
      name,
      count,
    ]);
    const failed = await allPages('nights=31&verdict=not-real');
    expect(counts).toContainEqual(['not what it says, nights missing', String(failed.length)]);
    expect(counts).toContainEqual(['overstated, all nights known', '0']);
    expect(await (await explorer.get('/promotions?nights=31&verdict=not-real')).text()).toContain(
      `<h1>${failed.length} offers promise more than they save; 0 of them with all 30 nights before known</h1>`,
    );
  });

  it('a span in which nothing began leads to the longest, in which something did', async () => {
    const html = await (await explorer.get('/promotions?nights=1&verdict=real')).text();
    expect(html).toMatch(/Other offers began earlier: <a href="[^"]*nights=92[^"]*">look back 92 days/);
    expect(await (await explorer.get('/promotions?nights=92&verdict=real')).text()).not.toContain('look back');
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

it('an offer that continues reductions names the day of the first, before which its price counts', () => {
  const real = { ...offer, verdict_label: 'real', compared_price: '1.05', prior_price: '1.05', reduced_price: '1.00' };
  expect(verdictSentence(real, null)).toBe('£1.05 was the lowest price of the 30 nights before.');
  const later = { ...real, series_began_on: '2026-06-02' };
  expect(verdictSentence(later, null)).toBe(
    'It continues reductions since 2 Jun. £1.05 was the lowest price of the 30 nights before them.',
  );
  const paid = { ...later, prior_price: '1.20', compared_on: '2026-06-01', reduced_price: '1.10' };
  expect(verdictSentence({ ...paid, verdict_label: 'no reduction' }, null)).toBe(
    'It continues reductions since 2 Jun. Members paid £1.05 on 1 Jun, before them: £1.10 is not less.',
  );
});

it('an offer announces only the percentage of its text; others compare with a price', () => {
  const fails = { ...offer, verdict_label: 'overstated', compared_price: '2.00', prior_price: '2.00' };
  const said = { ...fails, reduced_price: '1.80', stated_percent: '25.00', announced_pct: '30.00', real_pct: '10.00' };
  expect([badgeWords(said, null), verdictSentence(said, null)]).toEqual([
    '✕ says 25%, is 10%',
    'It cost £2.00: that is 10% less, and it announces 25%.',
  ]);
  const beside = { ...said, stated_percent: '28.00', announced_pct: '28.00', reference_price: '2.50' };
  expect([badgeWords(beside, null), verdictSentence(beside, null)]).toEqual([
    '✕ looks like 28%, is 10%',
    'It cost £2.00: that is 10% less, and it compares with £2.50.',
  ]);
});

it('an offer that ended before enough nights were known is no longer called too early', () => {
  const early = { ...offer, verdict_label: 'too early to tell' };
  expect(badgeWords(early, null)).toBe('too early to tell');
  expect(badgeWords({ ...early, has_ended: true }, null)).toBe('not enough nights known');
});

it('a deal whose text names other products saves nothing that could be claimed', () => {
  const deal = { ...offer, effective_quantity: 2, effective_price: '2.50', shelf_price: '8.00' };
  const bars = { ...deal, description: 'Any 2 for £5 Clubcard Price - Selected Protein Bars' };
  expect(badgeWords(bars, 'Cola 24 x 330ml')).toBe('deal on several');
  expect(verdictSentence(bars, 'Cola 24 x 330ml')).toBe('Its text may concern other products than this one.');
  expect(badgeWords(bars, 'Peanut Bar 12 x 60g')).toBe('69% less if you take 2');
});

it('a deal on several is compared with the lowest price of one', () => {
  const deal = (effective_quantity: number | null, effective_price: string | null, prior: string | null = null) =>
    dealOf({ ...offer, effective_quantity, effective_price, prior_30_day_price: prior }, 'Beans');
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
