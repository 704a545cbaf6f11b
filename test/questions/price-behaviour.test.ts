import { beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { useHousehold } from '../cli/pricebook.ts';
import { fillRandomBook } from '../derive/random-book.ts';
import { useDatabase } from '../support/database.ts';

type Row = Record<string, string | number | boolean | null>;

describe('questions about the behaviour of prices', () => {
  const database = useDatabase();
  const household = useHousehold();
  /** Prices of the certified nights by product. */
  const nights: { readonly date: string; readonly prices: Map<number, number>; listed: number }[] = [];

  beforeAll(async () => {
    await fillRandomBook(database.db, { seed: 21, first: '2026-02-16', runs: 76, products: 60 });
    await deriveNights(database.db, 'uk');
    const rows = await rowsOf<{ date: string; product: number; price: string | null }>(
      database.db,
      `select d.snapshot_date as date, d.product_key as product, d.price
       from marts.snapshot night
       cross join lateral (
         select * from marts.fct_price_daily
         where region = night.region and snapshot_date = night.snapshot_date
       ) as d
       where night.region = 'uk' and night.derived_at is not null
       order by 1`,
    );
    for (const { date, product, price } of rows) {
      if (nights.at(-1)?.date !== date) nights.push({ date, prices: new Map(), listed: 0 });
      nights.at(-1)!.listed++;
      if (price !== null) nights.at(-1)!.prices.set(product, Number(price));
    }
  });

  const ask = async (...args: string[]): Promise<Row[]> => {
    const { code, stdout, stderr } = await household.run([...args, '--json'], { DATABASE_URL: database.url });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return JSON.parse(stdout).rows;
  };

  interface Change {
    readonly product: number;
    readonly night: number;
    readonly before: number;
    readonly after: number;
  }

  const changes = (): Change[] =>
    nights.flatMap(({ prices }, night) =>
      [...prices].flatMap(([product, after]) => {
        const before = nights[night - 1]?.prices.get(product);
        return before === undefined || before === after ? [] : [{ product, night, before, after }];
      }),
    );

  const daysBetween = (from: number, to: number): number =>
    (Date.parse(nights[to]!.date) - Date.parse(nights[from]!.date)) / 86_400_000;
  const lastNight = () => nights.length - 1;

  it('price-statistics counts changes, their direction and size, and those that reverse within 30 days', async () => {
    const rows = await ask('price-statistics', '--since', '2026-02-16');
    const all = changes();
    expect(rows.map(({ month }) => month)).toEqual(['2026-02-01', '2026-03-01', '2026-04-01']);
    for (const row of rows) {
      const ofMonth = all.filter(({ night }) => `${nights[night]!.date.slice(0, 7)}-01` === row['month']);
      const sizes = (isRise: boolean) =>
        ofMonth.filter(({ before, after }) => after > before === isRise).map(({ before, after }) => after / before - 1);
      const observed = ofMonth.filter(({ night }) => daysBetween(night, lastNight()) >= 30);
      const reversed = observed.filter(({ product, night, before }) =>
        all.some(
          (later) =>
            later.product === product &&
            later.night > night &&
            daysBetween(night, later.night) <= 30 &&
            later.after === before,
        ),
      );
      const listed = nights.filter(({ date }) => `${date.slice(0, 7)}-01` === row['month']);
      const productNights = listed.reduce((sum, night) => sum + night.listed, 0);
      expect(row).toEqual({
        month: row['month'],
        changes_per_month_pct: percent((30 * ofMonth.length) / productNights),
        price_changes: ofMonth.length,
        increases_pct: percent(sizes(true).length / ofMonth.length),
        median_increase_pct: percent(median(sizes(true))),
        median_decrease_pct: percent(median(sizes(false))),
        observed_for_30_days: observed.length,
        reversed_pct: observed.length === 0 ? null : percent(reversed.length / observed.length),
      });
    }
    expect(rows.some((row) => Number(row['reversed_pct']) > 0)).toBe(true);
  });

  it('contributions of departments add up to the change of the region', async () => {
    const rows = await ask('contributions', '--period', 'day');
    const memberships = await rowsOf<{ product: number; category: number }>(
      database.db,
      `select product_key as product, category_key as category from marts.product_category_now where depth = 0`,
    );
    const [before, now] = nights.slice(-2).map(({ prices }) => prices);
    const logs = new Map(
      [...now!].flatMap(([product, price]) => {
        const ratio = price / (before!.get(product) ?? Number.NaN);
        return ratio >= 0.1 && ratio <= 10 ? [[product, Math.log(ratio)] as const] : [];
      }),
    );
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    const total = sum([...logs.values()]) / logs.size;
    for (const row of rows) {
      const inIt = memberships.filter(({ category }) => category === row['category_key']);
      const own = inIt.flatMap(({ product }) => logs.get(product) ?? []);
      expect(row['matched_products']).toBe(own.length);
      const expected = (100 * (sum(own) / logs.size) * Math.expm1(total)) / total;
      expect(Math.abs(Number(row['contribution_points']) - expected)).toBeLessThan(1e-9);
    }
    const points = sum(rows.map((row) => Number(row['contribution_points'])));
    expect(points).toBeCloseTo(100 * Math.expm1(total), 9);
    expect(points).not.toBeCloseTo(0, 3);
  });

  it('an index with a reference is 100 there, and a series without that period is left out', async () => {
    const plain = await ask('index', '--method', 'all', '--period', 'week');
    const rebased = await ask('index', '--method', 'all', '--period', 'week', '--reference', '2026-03-18');
    expect(rebased.length).toBe(plain.length);
    const indexOf = (rows: readonly Row[], { method, period_start: start }: Row): number =>
      Number(rows.find((row) => row['method'] === method && row['period_start'] === start)!['value']);
    for (const row of rebased) {
      const atReference = indexOf(plain, { ...row, period_start: '2026-03-16' });
      expect(Math.abs(Number(row['value']) / ((100 * indexOf(plain, row)) / atReference) - 1)).toBeLessThan(1e-9);
      if (row['period_start'] === '2026-03-16') expect(Number(row['value'])).toBe(100);
    }
    expect(await ask('index', '--reference', '2025-01-01')).toEqual([]);
  });

  it('promotion-depth has the shares of product-nights of each week, and of real reductions', async () => {
    const rows = await ask('promotion-depth');
    const counted = await rowsOf<{ week: string; nights: number; all: number; promoted: number }>(
      database.db,
      `select date_trunc('week', d.snapshot_date::timestamp)::date as week, count(*)::int as all,
         count(distinct d.snapshot_date)::int as nights,
         (count(*) filter (where d.on_promotion and d.availability = 'available' and d.price is not null))::int
           as promoted
       from marts.snapshot night
       join lateral (
         select * from marts.fct_price_daily
         where region = night.region and snapshot_date = night.snapshot_date
       ) as d on true
       where night.region = 'uk' and night.derived_at is not null
       group by 1 order by 1`,
    );
    expect(rows.map((row) => [row['week_starts_on'], row['nights'], Number(row['product_nights'])])).toEqual(
      counted.map(({ week, nights: known, all }) => [week, known, all]),
    );
    expect(rows.map((row) => row['share_on_promotion_pct'])).toEqual(
      counted.map(({ all, promoted }) => percent(promoted / all)),
    );
    expect(rows.every((row) => row['category_path'] === null)).toBe(true);
  });

  it('unit-price-rank orders the products of a shelf by unit price', async () => {
    await database.db.query(
      `update catalog.product_current set unit_price = price_minor * 0.01, unit_of_measure = 'kg'`,
    );
    const rows = await ask('unit-price-rank', '--product', '1');
    const prices = rows.map((row) => Number(row['unit_price']));
    expect(prices.length).toBeGreaterThan(2);
    expect(rows.map((row) => Number(row['rank']))).toEqual(
      prices.map((price) => 1 + prices.filter((other) => other < price).length),
    );
    expect(prices).toEqual([...prices].sort((a, b) => a - b));
    expect(rows.filter((row) => row['is_asked']).map((row) => row['product_id'])).toEqual(['1']);
    const shelf = await rowsOf<{ count: number }>(
      database.db,
      `select count(*)::int as count
       from marts.product_now join marts.product_category_now using (product_key)
       where category_key = $1 and availability = 'available' and unit_price > 0`,
      [rows[0]!['category_key']],
    );
    expect(rows.length).toBe(shelf[0]!.count);
  });
});

const percent = (share: number): string => (100 * share).toFixed(2);

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}
