import { beforeAll, describe, expect, it } from 'vitest';
import { deriveNights } from '../../../src/followers/derive/derive-nights.ts';
import { badgeWords, dealOf, verdictSentence } from '../../../src/web/kernel/verdicts.ts';
import { writePromotionBook } from '../../derive/promotion-book.ts';
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
    const cells = [...tally.matchAll(/<td>([^<]*)<.*?([\d,]+)<\/span><\/td>/g)];
    const of = (...labels: (string | null)[]) =>
      rows.filter((row) => labels.includes(row['verdict_label'] ?? null)).length;
    const counts = [
      ['fails already', of('overstated', 'no reduction')],
      ['too early to tell', of('too early to tell')],
      ['nothing to check', of(null)],
    ];
    expect(cells.map(([, name, count]) => [name, Number(count)])).toEqual(counts.filter(([, count]) => count !== 0));
    // No offer of a young book has 30 known nights before it.
    expect(html).toMatch(/<h1>None of \d+ offers in the United Kingdom can be called real yet; \d+ fail already</);
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

describe('shares of real offers in a book with lost nights', () => {
  const lossy = useExplorer('empty');
  const offersOf = (all: readonly (readonly [prices: string, promotion: string])[]) =>
    all.map(([prices, promotion]) => ({ prices, promotions: [promotion], prior: '' }));
  const days = Array.from({ length: 100 }, (_, n) => n + 1);

  beforeAll(async () => {
    // On every second day begin three real offers, one that is overstated and, for a while, one whose price changed
    // unseen.
    const cases = days
      .filter((day) => day % 2 === 0)
      .flatMap((day) => [
        ...Array.from({ length: 3 }, () => ['1:200', `${day}- £1.50 Clubcard Price`] as const),
        ['1:200', `${day}- Was £2.50 Now £1.50 Clubcard Price`] as const,
        ...(day > 65 && day < 95 ? [['1:250 65:200', `${day}- £1.50 Clubcard Price`] as const] : []),
      ]);
    const runs = days.filter((day) => day !== 80).map(String);
    await writePromotionBook(lossy.db, 'uk', offersOf(cases), { runs, partial: ['64'], firstKey: 1 });
    const irish = offersOf([
      ['1:200', '5- €1.50 Clubcard Price'],
      ['1:250 39:200', '40- €1.50 Clubcard Price'],
    ]);
    const calendar = { runs: runs.slice(0, 45), partial: ['38'], firstKey: 1_000 };
    await writePromotionBook(lossy.db, 'ie', irish, calendar);
    for (const region of ['uk', 'ie'] as const) await deriveNights(lossy.db, region);
  });

  it('a lost night changes no share, and the page shows the share of the question', async () => {
    const weeks = await lossy.rows('promotion-depth');
    expect(weeks.map((week) => week['real_reductions_pct'])).toEqual(
      weeks.map(({ week_starts_on: week }) => (week! < '2026-01-26' ? null : '75.00')),
    );
    const page = await lossy.page('/promotions?since=2026-03-09');
    expect(page).toContain('51 of 68 checkable offers in the United Kingdom since 9 March 2026 are real');
  });

  it('an offer that only lost nights keep from being judged says so', async () => {
    const weeks = await lossy.rows('promotion-depth', 'region=ie');
    expect(weeks.map((week) => week['real_reductions_reason'])).toEqual(
      weeks.map((_, n) => [null, 'too_few_nights', null, null, null, null, 'nights_missing'][n]),
    );
    const page = await lossy.page('/promotions?region=ie&verdict=nights-missing');
    expect(page).toContain('<h1>“Nights missing” is the verdict on 1 offer in Ireland</h1>');
    expect(page).toContain('29 of the 30 nights before are known; it saves 25% at most.');
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
    sentence: 'If you take 5, £2.00 each: not less than £2.00 for one when it began.',
  });
  expect(deal(4, '1.5000')).toMatchObject({
    badge: '25% less if you take 4',
    sentence: 'If you take 4, £1.50 each: 25% less than £2.00 for one when it began.',
  });
  expect(deal(null, null)).toBeNull();
});
