import { describe, expect, it } from 'vitest';
import { badgeWords, dealOf, verdictSentence } from '../../../src/web/kernel/verdicts.ts';
import { book, useExplorer } from '../explorer-book.ts';
import { offer } from './unknown-offer.ts';

const explorer = useExplorer();

const shown = (parameters = '') => explorer.rows('promotions', parameters);
describe('the offers', () => {
  it('offers are tallied by verdict as they are listed one by one', async () => {
    const rows = await shown();
    expect(rows.length).toBeGreaterThan(10);
    const html = await explorer.page('/promotions');
    const [, tally = ''] = /<h2>Verdicts<\/h2>.*?<tbody>(.*?)<\/tbody>/s.exec(html)!;
    const counts = new Map(
      [...tally.matchAll(/data-name="Verdict">([^<]*)<.*?([\d,]+)<\/td>/g)].map(([, name, n]) => [name!, Number(n)]),
    );
    const of = (...labels: (string | null)[]) =>
      rows.filter(({ verdict_label }) => labels.includes(verdict_label ?? null)).length;
    // No offer of a young book has 30 known nights before it.
    expect(counts).toEqual(
      new Map([
        ['real', of('real')],
        ['overstated', 0],
        ['no reduction', 0],
        ['too early to tell', of('too early to tell')],
        ['not what it says, nights missing', of('overstated', 'no reduction')],
        ['nothing to check', of(null)],
      ]),
    );
    expect(html).toMatch(/<h1>\d+ discounts? already known to overstate; \d+ too early to tell<\/h1>/);
    expect(html).toContain('no offer that began before 6 July 2026 can have it.');
  });

  it("a failed offer names the price and night that contradict it, also on the product's page", async () => {
    const failed = await shown('verdict=not-real');
    expect(failed.length).toBeGreaterThan(0);
    const why = /(?:It cost|Members paid) £[\d.]+ on \d+ Jun(?:, before them)?: [^<]+/;
    expect(await explorer.page('/promotions?verdict=not-real')).toMatch(why);
    expect(await explorer.page(`/product?region=uk&product=${failed[0]!['product_id']}`)).toMatch(why);
  });

  it('an offer is shown until the last night on which it held', async () => {
    const [ended] = await explorer.ask<{ id: string; day: string; month: string }>(
      `select product_id as id, to_char(ended_on - 1, 'FMDD') as day, to_char(ended_on - 1, 'Mon') as month
       from marts.fct_promotion_check where region = 'uk' and ended_on <= '${book.lastNight}' order by 1 limit 1`,
    );
    expect(await explorer.page(`/product?product=${ended!.id}`)).toContain(` to ${ended!.day} ${ended!.month}`);
  });
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

it('a deal whose text names other products saves nothing that could be claimed', () => {
  const deal = { ...offer, effective_quantity: 2, effective_price: '2.50', shelf_price: '8.00' };
  const bars = { ...deal, description: 'Any 2 for £5 Clubcard Price - Selected Protein Bars' };
  expect(badgeWords(bars, 'Cola 24 x 330ml')).toBe('deal on several');
  expect(verdictSentence(bars, 'Cola 24 x 330ml')).toBe('Its text may concern other products than this one.');
  expect(badgeWords(bars, 'Peanut Bar 12 x 60g')).toBe('69% less if you take 2');
});

it('a deal on several is compared with the price of one', () => {
  const deal = (effective_quantity: number | null, effective_price: string | null) =>
    dealOf({ ...offer, effective_quantity, effective_price }, 'Beans');
  expect(deal(5, '2.0000')).toMatchObject({
    badge: 'no saving',
    sentence: 'If you take 5, £2.00 each: not less than £2.00 for one.',
  });
  expect(deal(4, '1.5000')).toMatchObject({
    badge: '25% less if you take 4',
    sentence: 'If you take 4, £1.50 each: 25% less than £2.00 for one.',
  });
  expect(deal(null, null)).toBeNull();
});
