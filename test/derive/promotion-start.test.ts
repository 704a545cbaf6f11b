import { beforeAll, describe, expect, it } from 'vitest';
import { type RegionCode, regionCodes } from '../../src/base/model/index.ts';
import { camelRows, rowsOf } from '../../src/db/rows.ts';
import { deriveNights, forgetDerived } from '../../src/followers/derive/derive-nights.ts';
import { sqlDerivation } from '../../src/followers/derive/sql-derivation.ts';
import { useDatabase } from '../support/database.ts';
import { derive } from '../support/derive.ts';
import { dateOf, writePromotionBook } from './promotion-book.ts';
import { type PromotionCase, promotionCases } from './promotion-cases.ts';

const days = Array.from({ length: 150 }, (_, n) => String(n + 1));
const calendars = {
  uk: { runs: days, partial: [], firstKey: 1_000 },
  ie: {
    runs: days.flatMap((day) => (day === '60' ? [] : day === '100' || day === '120' ? [day, `${day}b`] : [day])),
    partial: ['61', '120b', '140'],
    firstKey: 2_000,
  },
};

describe('checks of promotions', () => {
  const database = useDatabase();
  const options = { all: [sqlDerivation('promotion-start')], rules: 1 };

  beforeAll(async () => {
    for (const region of regionCodes)
      await writePromotionBook(database.db, region, promotionCases[region], calendars[region]);
    await derive(database.db);
    for (const region of regionCodes) await deriveNights(database.db, region, options);
  });

  it.each(regionCodes)('promotion checks are correct in every hand-written case of %s', async (region) => {
    const found = await verdicts(region);
    const expected = promotionCases[region].map((each, n) => described(each, { ...found[n], ...each }));
    expect(promotionCases[region].map((each, n) => described(each, found[n]!))).toEqual(expected);
  });

  it('the prior price of members is the lowest price that they paid on the nights of the prior price', async () => {
    const rows = await rowsOf<{ product: number; paid: string | null; said: string | null; shelf: string | null }>(
      database.db,
      `select c.product_key as product, c.prior_member_price as said, c.prior_price as shelf, (
         select min(coalesce(d.loyalty_price, d.price)) from marts.fct_price_daily d
         where d.region = 'uk' and d.product_key = c.product_key and d.price is not null
           and d.snapshot_date >= c.series_began_on - 30 and d.snapshot_date < c.series_began_on) as paid
       from marts.fct_promotion_check c
       where c.region = 'uk' and c.basis = 'price' and c.reduced_price is not null`,
    );
    expect(rows.map(({ product, said }) => [product, said === null ? null : Number(said)])).toEqual(
      rows.map(({ product, paid }) => [product, paid === null ? null : Number(paid)]),
    );
    expect(rows.filter(({ said, shelf }) => Number(said) < Number(shelf)).length).toBeGreaterThan(0);
  });

  it('one verdict compares what is stated with the lowest price for anyone, and both checks are stricter', async () => {
    const rows = await rowsOf<Record<string, string | null> & { nights: number; lost: number }>(
      database.db,
      `select prior_price, prior_member_price, compared_price, reduced_price, reference_price, save_percent, real_pct,
         verdict_label, prior_price_check, member_price_check, stated_percent, announced_pct,
         prior_nights_known as nights, prior_nights_lost as lost
       from marts.fct_promotion_check join catalog.promotion using (promotion_key)
       where basis = 'price' and prior_price_check is not null`,
    );
    const labelOf = (row: (typeof rows)[number], prior: number | null): string => {
      const [reduced, reference] = [Number(row['reduced_price']), Number(row['reference_price'])];
      if (prior !== null && reduced >= prior) return 'no reduction';
      if (prior !== null && reference > prior) return 'overstated';
      const saved = prior === null ? null : (100 * (prior - reduced)) / prior;
      // Half a point of the percentage, or half a penny of the price.
      const rounding = Math.max(0.5, 0.5 / prior!);
      if (saved !== null && Number(row['save_percent']) > saved + rounding + 1e-9) return 'overstated';
      return row.nights >= 30 ? 'real' : 'too early to tell';
    };
    const verdictOf = (row: (typeof rows)[number], compared: number | null): string | null => {
      const [reduced, stated] = [Number(row['reduced_price']), Number(row['stated_percent'])];
      if (compared !== null && reduced >= compared) return 'no reduction';
      // A point of the percentage, or half a penny of the price.
      if (compared !== null && stated > 100 * (1 - reduced / compared) + Math.max(1, 0.5 / compared) + 0.005)
        return 'overstated';
      if (row.nights < 30 && row.nights + row.lost >= 30) return null;
      return row.nights >= 30 ? 'real' : 'too early to tell';
    };
    const checks: Readonly<Record<string, string>> = { real: 'pass', 'too early to tell': 'not_enough_nights' };
    const priceOf = (text: string | null | undefined) => (text == null ? null : Number(text));
    for (const row of rows) {
      const [shelf, members] = [row['prior_price'], row['prior_member_price']].map((price) =>
        labelOf(row, priceOf(price)),
      );
      expect([row, row['prior_price_check']]).toEqual([row, checks[shelf!] ?? 'fail']);
      expect([row, row['member_price_check']]).toEqual([row, checks[members!] ?? 'fail']);
      const compared = priceOf(row['prior_member_price']) ?? priceOf(row['reference_price']);
      expect([row, priceOf(row['compared_price'])]).toEqual([row, compared]);
      expect([row, row['verdict_label']]).toEqual([row, verdictOf(row, compared)]);
      if (compared !== null)
        expect(Number(row['real_pct'])).toBeCloseTo(100 * (1 - Number(row['reduced_price']) / compared), 1);
      expect(Number(row['stated_percent'])).toBe(Number(row['save_percent'] ?? row['announced_pct']));
    }
    expect(new Set(rows.map((row) => row['verdict_label'])).size).toBe(5);
    // Without a known night, an offer can contradict its own shelf price.
    expect(rows.some((row) => row['prior_price'] === null && row['verdict_label'] === 'overstated')).toBe(true);
    const isOnlyForOthers = (row: (typeof rows)[number]) =>
      row['prior_price_check'] === 'pass' && row['member_price_check'] === 'fail';
    expect(rows.filter(isOnlyForOthers).length).toBeGreaterThan(0);
  });

  it('promotion checks are the same night by night and after deleting late ones', async () => {
    const all = await starts();
    for (const from of [147, 110]) {
      for (const region of regionCodes) {
        await database.db.tx((tx) =>
          forgetDerived(tx, region, dateOf(String(from)), [sqlDerivation('promotion-start')]),
        );
        if (from > 140) {
          const { rows } = await database.db.query(
            `update ops.run set status = 'held' where region = $1 and snapshot_date > $2 returning run_id`,
            [region, dateOf(String(from))],
          );
          await deriveNights(database.db, region, options);
          await database.db.query(`update ops.run set status = 'published' where run_id = any($1)`, [
            rows.map((row) => row['run_id']),
          ]);
        }
        await deriveNights(database.db, region, options);
      }
      expect(await starts()).toEqual(all);
    }
  });

  const starts = async () =>
    (
      await database.db.query(
        'select s::text as row from derived.promotion_start s order by product_key, promotion_key, seen_from',
      )
    ).rows;

  const verdicts = (region: RegionCode) =>
    rowsOf<PromotionCase & Record<string, unknown>>(
      database.db,
      `select distinct on (product_key) coalesce(prior_price_check, prior_price_reason) as prior
       from marts.fct_promotion_check where region = $1 order by product_key, promotion_key desc`,
      [region],
    );
});

describe('a promotion of a product that is gone on its first day', () => {
  const database = useDatabase();
  const options = { all: [sqlDerivation('promotion-start')], rules: 1 };
  const promotion = '50- s60 e70 £1.50 Clubcard Price';
  const stories = [
    '1:200 58:x', // It never came back.
    '1:200 58:x 63:250',
    '1:200 58:x 73:250', // When it came back the promotion was over.
    '1:200 60:o 62:x 63:200', // It was there on the first day.
    '1:200 52:x 55:200 62:x', // Gone and back before it began.
  ];

  beforeAll(async () => {
    const cases = stories.map((prices) => ({ prices, promotions: [promotion], prior: '' }));
    cases.push({ prices: '1:200 62:x 65:250', promotions: ['61- £1.50 Clubcard Price'], prior: '' });
    const runs = days.slice(0, 80);
    await writePromotionBook(database.db, 'uk', cases, { runs, partial: ['61'], firstKey: 1 });
  });

  const begun = () =>
    camelRows<{ product: number; night: string; beganOn: string; price: string }>(
      database.db,
      `select product_key as product, snapshot_date as night, began_on, shelf_price as price
       from marts.fct_promotion_check order by product_key`,
    );
  const expected = [
    { product: 2, night: dateOf('63'), beganOn: dateOf('63'), price: '2.50' },
    { product: 4, night: dateOf('60'), beganOn: dateOf('60'), price: '2.00' },
    { product: 5, night: dateOf('60'), beganOn: dateOf('60'), price: '2.00' },
    // First seen in effect by a night that is not certified, which the next one did not list.
    { product: 6, night: dateOf('65'), beganOn: dateOf('61'), price: '2.50' },
  ];

  it('a promotion on a gone product begins when the product is listed again, if still in effect', async () => {
    await deriveNights(database.db, 'uk', options);
    expect(await begun()).toEqual(expected);
  });
});

describe('an offer per kg', () => {
  const database = useDatabase();
  const now = '60- £2.40 per kg Clubcard Price';
  const cases = [
    ['1:200@4', '40-48 £2.50 per kg Clubcard Price', '2.50', 'overstated'],
    ['1:200@4', '40-48 £0.25 per 100g Clubcard Price', '2.50', 'overstated'],
    ['1:200@4', '40-48 £2.40 per kg Clubcard Price', '2.40', 'no reduction'],
    ['1:200@4', '20-31 £2.50 per kg Clubcard Price', '2.50', 'overstated'],
    ['1:200@4', '20-30 £2.50 per kg Clubcard Price', '4.00', 'real'],
    ['1:200@4', '20-48 e30 £2.50 per kg Clubcard Price', '4.00', 'real'],
    ['1:200@4', '40-48 £2.50 per litre Clubcard Price', '4.00', 'real'],
    ['1:200@4 40:x 48:200@4', '40-48 £2.50 per kg Clubcard Price', '4.00', 'too early to tell'],
    ['1:200@4 50:200@2.45 55:200@4', '40-48 £2.50 per kg Clubcard Price', '2.45', 'overstated'],
  ] as const;

  it('is compared with what members paid per kg in the 30 nights before', async () => {
    const book = cases.map(([prices, before]) => ({ prices, promotions: [before, now], prior: '' }));
    await writePromotionBook(database.db, 'uk', book, { runs: days.slice(0, 80), partial: [], firstKey: 1 });
    await deriveNights(database.db, 'uk', { all: [sqlDerivation('promotion-start')], rules: 1 });
    const found = await rowsOf<{ compared: string; verdict: string }>(
      database.db,
      `select compared_price as compared, verdict_label as verdict
       from marts.fct_promotion_check where reduced_price = 2.4 and snapshot_date = $1 order by product_key`,
      [dateOf('60')],
    );
    expect(found).toEqual(cases.map(([, , compared, verdict]) => ({ compared, verdict })));
  });
});

const described = ({ prices, promotions }: PromotionCase, { prior }: Pick<PromotionCase, 'prior'>): string =>
  `${prices} | ${promotions.join(' | ')}: ${prior}`;
