import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { createSimulator, type Simulator, type TrueProduct } from '../../src/simulator/index.ts';
import { readPromotionText } from '../../src/source/normalise/promotion-text.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { type DirectBook, openDirectBook } from '../trust/direct-book.ts';

const dates = ['2026-03-26', '2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31'];
const [partial, twice] = ['2026-03-28', '2026-03-30'];
const certified = dates.filter((date) => date !== partial);

describe('six nights with arrivals, departures, a partial night and one crawled twice', () => {
  const installation = useInstallation();
  const ask = <Row extends Record<string, unknown>>(text: string, values: readonly unknown[] = []) =>
    rowsOf<Row>(installation.db, text, values);
  let [simulator, book] = [] as unknown as [Simulator, DirectBook];

  beforeAll(async () => {
    simulator = await createSimulator({
      items: 250,
      superDepartments: 3,
      dailyChange: 0.1,
      dailyTurnover: 0.01,
      flicker: 0.01,
      promoted: 0.6,
      unavailable: 0.15,
      earlyPromotions: 0.2,
    });
    const { databaseUrl, queue } = installation;
    book = await openDirectBook({ upstream: simulator.url, env: { DATABASE_URL: databaseUrl, ...queue } });
    for (const date of dates) {
      simulator.change({
        date,
        faults: date === partial ? [{ kind: 'vendor500', categories: ofTheFirstProduct() }] : [],
      });
      const run = await book.night('uk', date);
      expect(run.verdict).toBe(date === partial ? 'partial' : 'complete');
      if (date === twice) await book.night('uk', date);
    }
    await deriveNights(installation.db, 'uk');
  });
  afterAll(async () => {
    await book.close();
    await simulator.close();
  });

  /** Of what lies in all of them nothing can be read that night. */
  const ofTheFirstProduct = () => truthOf(dates[0]!)[0]!.categoryIds;

  const truthOf = (date: string): readonly TrueProduct[] => [...simulator.truth('uk', date)];

  test('promotion spells equal what was promoted on each night', async () => {
    for (const date of certified) {
      const said = await ask<{ row: string }>(
        `select p.product_id || ' ' || p.description as row
         from marts.fct_promotion p
         join (select max(observed_at) as at from ops.run where snapshot_date = $1) as night
           on p.seen_from <= night.at and (p.seen_to is null or p.seen_to > night.at)
         join marts.as_of('uk', $1) listed using (product_key)`,
        [date],
      );
      const truth = truthOf(date).flatMap(({ productId, promotions }) =>
        promotions.map(({ description }) => `${productId} ${description}`),
      );
      expect(said.map(({ row }) => row).sort()).toEqual(truth.sort());
    }
  });

  test('weekly figures equal the counts of their nights', async () => {
    const weeks = await ask<{ week: string; nights: number; share: string }>(
      `select c.week_starts_on as week, c.nights, c.share_on_promotion_pct as share
       from marts.fct_promotion_calendar c
       where c.region = 'uk' and c.category_key is null order by 1`,
    );
    const expected = ['2026-03-23', '2026-03-30'].map((week, n) => {
      const nights = certified.filter((date) => (n === 0 ? date < '2026-03-30' : date >= '2026-03-30'));
      const all = nights.flatMap(truthOf).filter(({ available, priceMinor }) => available && priceMinor !== null);
      const pct = (some: readonly unknown[]) => ((100 * some.length) / all.length).toFixed(2);
      return { week, nights: nights.length, share: pct(all.filter(({ onPromotion }) => onPromotion)) };
    });
    expect(weeks).toEqual(expected);
  });

  test('every promotion in effect is checked with the shelf price of its first night', async () => {
    const wrong = await ask(
      `select c.* from marts.fct_promotion_check c
       left join marts.fct_price_daily d using (region, product_key, snapshot_date)
       where c.shelf_price is distinct from d.price and d.availability = 'available' or d.product_key is null`,
    );
    expect(wrong).toEqual([]);
    const [counts] = await ask<{ checked: number; effective: number }>(
      `select (select count(*)::int from marts.fct_promotion_check) as checked,
         (select count(distinct (carried.product_key, carried.promotion_key, carried.seen_from))::int
          from marts.fct_promotion carried
          join ops.run r on r.verdict <> 'partial' and carried.seen_from <= r.observed_at
            and (carried.seen_to is null or carried.seen_to > r.observed_at)
            and (carried.starts_at is null or carried.starts_at <= r.observed_at)
            and (carried.ends_at is null or carried.ends_at > r.observed_at)
          join marts.fct_price_daily listed
            on listed.region = 'uk'
              and listed.product_key = carried.product_key
              and listed.snapshot_date = r.snapshot_date
          where r.run_id in (
            select max(run_id)
            from ops.run
            where verdict <> 'partial'
            group by snapshot_date)) as effective`,
    );
    expect(counts!.checked).toBe(counts!.effective);
    expect(counts!.checked).toBeGreaterThan(0);
  });

  test('every simulated text is parsed as meant, and unknown texts give no price', () => {
    const unknown = new Set<string>();
    for (const date of dates) {
      for (const { promotions } of truthOf(date)) {
        for (const { description, offerType, kind } of promotions) {
          expect([description, readPromotionText(description, offerType).kind]).toEqual([description, kind]);
          if (kind === 'unknown') unknown.add(description);
        }
      }
    }
    // Points are no price, a new recipe is no offer, and a shelf code may mean three for two or anything else.
    for (const text of unknown)
      expect(text).toMatch(/^Triple Points on Selected Lines$|^New Recipe$|^CC .{1,4} 3 F 2$/);
  });
});
