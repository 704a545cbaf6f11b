import { beforeAll, describe, expect, it } from 'vitest';
import { camelRows, rowsOf } from '../../src/db/rows.ts';
import { deriveNights, forgetDerived } from '../../src/followers/derive/derive-nights.ts';
import { certifiedNights } from '../../src/followers/derive/owed-nights.ts';
import { type Period, periodStart, periods, windowOf } from '../../src/followers/derive/price-index/period.ts';
import { useDatabase } from '../support/database.ts';
import { countDifferingFigures, wasForSale } from '../support/derived-figures.ts';
import { fillRandomBook } from './random-book.ts';
import { geksSeries, jevons, type Prices } from './reference-index.ts';

/** A pack that shrinks, one that grows, and two products that others replace, one with the same base product number. */
const packs = [
  { product: 3, on: '2026-03-01', grams: [500, 400] },
  { product: 5, on: '2026-03-10', grams: [300, 330] },
  { product: 40, former: 39, on: '2026-03-20', grams: [250, 200] },
  { product: 42, former: 41, isGuess: true, on: '2026-03-12', grams: [400, 300] },
] as const;

/** Ten weeks: longer than any window of days, across months. */
describe('figures of many nights', () => {
  const database = useDatabase();
  beforeAll(async () => {
    await fillRandomBook(database.db, { seed: 10, first: '2026-02-16', runs: 76, products: 60, packs });
  });

  const kept = async () => {
    const tables = {
      daily: 'select * from derived.daily_figure order by region, category_key, snapshot_date',
      // Without when it was derived.
      index: `
        select (jsonb_populate_record(i, '{"derived_on": null}')).* from derived.price_index i
        order by region, period, category_key, period_start`,
      parts: `
        select region, period, period_start, category_key, log from derived.index_part
        order by region, period, category_key, period_start`,
      panels: `
        select region, period, period_start, through_date from derived.period_panel
        order by region, period, period_start`,
      steps: `select region, snapshot_date, price_basis, ${listed} from derived.price_step order by 1, 2, 3`,
      moves: `select region, since, until, price_basis, ${listed} from derived.price_move order by 1, 2, 4`,
    };
    const read = async ([name, text]: [string, string]) => [name, rounded(await rowsOf(database.db, text))];
    return Object.fromEntries(await Promise.all(Object.entries(tables).map(read)));
  };

  /** Dates of the nights that are derived. */
  const derive = async () => {
    await deriveNights(database.db, 'uk');
    return (await certifiedNights(database.db, 'uk')).map(({ snapshotDate }) => snapshotDate);
  };

  it('daily figures equal the counts of as_of, and indices their formulas', async () => {
    const dates = await derive();
    expect(dates.length).toBeGreaterThan(50);
    for (const date of dates) {
      expect([date, await countDifferingFigures(database.db, 'uk', date)]).toEqual([date, 0]);
    }
    const series = await seriesOfNights(database.db, dates);
    for (const period of periods) {
      const compared = await compareWithReference(database.db, period, series, 'shelf');
      expect([period, compared > 20]).toEqual([period, true]);
    }
  });

  it('adjusted indices equal the formulas on prices per content; a relaunch counts by its base number', async () => {
    const dates = await derive();
    const changes = await camelRows<PackChange & { route: string; evidence: string }>(
      database.db,
      `select product_id as product, former_product_id as former, confirmed_on, route, evidence,
         (old_size / new_size)::float8 as ratio
       from marts.fct_pack_change order by confirmed_on`,
    );
    expect(changes.map(({ product, route }) => [product, route])).toEqual([
      ['3', 'new_gtin'],
      ['5', 'new_gtin'],
      ['42', 'relaunch'],
      ['40', 'relaunch'],
    ]);
    const plain = await seriesOfNights(database.db, dates);
    const known = changes.filter(({ former, evidence }) => former === null || evidence.includes('tpnb'));
    expect(known).toHaveLength(3);
    const series = perContent(plain, known);
    for (const period of periods) {
      const compared = await compareWithReference(database.db, period, series, 'shelf_adjusted');
      expect([period, compared > 20]).toEqual([period, true]);
    }
    const differing = await rowsOf(
      database.db,
      `select from marts.price_index a join marts.price_index b using (region, period, period_start, method)
       where a.category_key is null and b.category_key is null
         and a.price_basis = 'shelf' and b.price_basis = 'shelf_adjusted' and abs(a.value - b.value) > 0.1`,
    );
    expect(differing.length).toBeGreaterThan(20);
  });

  it('what home departments add to the index adds up exactly in every period, revised ones included', async () => {
    await deriveNights(database.db, 'uk');
    const rows = await camelRows<{ department: string | null; points: number }>(
      database.db,
      `select department, log_points::float8 as points from marts.index_contribution`,
    );
    const homes = new Set(rows.filter(({ points }) => Math.abs(points) > 0.5).map(({ department }) => department));
    expect(homes).toEqual(new Set(['c1', 'c2', null]));
    const sums = await camelRows<{ period: string; periods: number; difference: number }>(
      database.db,
      `select period, count(*)::int as periods,
         max(abs(100 * ln(value / 100) - coalesce(added.points, 0)))::float8 as difference
       from marts.price_index i
       left join (
         select period, period_start, sum(log_points) as points from marts.index_contribution group by 1, 2
       ) as added using (period, period_start)
       where category_key is null and method = 'geks_jevons' and price_basis = 'shelf_adjusted'
       group by period order by period`,
    );
    expect(sums.map(({ period, difference }) => [period, difference < 1e-7])).toEqual([
      ['day', true],
      ['month', true],
      ['week', true],
    ]);
    expect(sums[0]!.periods).toBeGreaterThan(50);
  });

  it('an index says how many nights it rests on, and whether later nights can change it', async () => {
    const dates = await derive();
    const rows = await camelRows<{
      start: string;
      method: string;
      nights: number;
      isComplete: boolean;
      isBaseComplete: boolean;
      isFinal: boolean;
    }>(
      database.db,
      `select period_start as start, method, nights, is_complete, is_base_complete, is_final
       from marts.price_index
       where category_key is null and period = 'week' and price_basis = 'shelf' order by period_start, method`,
    );
    const [first, last] = [rows[0]!.start, rows.at(-1)!.start];
    for (const { start, method, nights, isComplete, isBaseComplete, isFinal } of rows) {
      const of = (week: string) => dates.filter((date) => periodStart('week', date) === week).length;
      expect([start, nights, isComplete, isBaseComplete]).toEqual([start, of(start), of(start) === 7, of(first) === 7]);
      // The window of 25 weeks still holds the base.
      expect([start, method, isFinal]).toEqual([start, method, method !== 'geks_jevons' && start < last]);
    }
    const thin = await rowsOf(
      database.db,
      `select from marts.price_index
       where is_thin <> (matched_products < 10 or matched_share < 0.25) or matched_share not between 0 and 1`,
    );
    expect(thin).toEqual([]);
  });

  it('figures are the same derived night by night, at once, or from the middle', { timeout: 120_000 }, async () => {
    const dates = await derive();
    const atOnce = await kept();
    // From nights whose windows are packed, partly packed and no longer packed at all.
    for (const n of [dates.length - 1, 35]) {
      await database.db.tx((tx) => forgetDerived(tx, 'uk', dates[n]!));
      expect(await deriveNights(database.db, 'uk')).toBe(dates.length - n);
      expect([n, await kept()]).toEqual([n, atOnce]);
    }
    // As they came: each when only it and those before it were certified.
    const late = await camelRows<{ runId: number; date: string; verdict: string }>(
      database.db,
      'select run_id, snapshot_date as date, verdict from ops.run where snapshot_date > $1 order by run_id',
      [dates.at(-8)],
    );
    await database.db.query(`update ops.run set verdict = 'partial' where run_id = any($1)`, [
      late.map(({ runId }) => runId),
    ]);
    await deriveNights(database.db, 'uk');
    for (const { runId, verdict } of late) {
      await database.db.query('update ops.run set verdict = $2 where run_id = $1', [runId, verdict]);
      await deriveNights(database.db, 'uk');
    }
    expect(await kept()).toEqual(atOnce);
  });
});

type Row = Record<string, unknown>;

/** The lists of two nights in the order of the products. */
const listed = `(
  select string_agg(concat_ws(' ', product_key, price_before, price_after), ', ' order by product_key)
  from unnest(product_keys, prices_before, prices_after) as price (product_key, price_before, price_after))`;

/** Sums of floating-point numbers depend a little on their order. */
const rounded = (rows: readonly Row[]): Row[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, roundedValue(value)])));

const roundedValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(roundedValue);
  return typeof value === 'number' ? Number(value.toPrecision(11)) : value;
};

/** Shelf prices by category (0: the region), night and product, as `as_of` and the bridge tell them. */
type Series = ReadonlyMap<number, ReadonlyMap<string, ReadonlyMap<string, number>>>;

async function seriesOfNights(sql: Parameters<typeof rowsOf>[0], dates: readonly string[]): Promise<Series> {
  const series = new Map<number, Map<string, Map<string, number>>>();
  for (const date of dates) {
    const rows = await rowsOf<{ category: number; product: string; price: string }>(
      sql,
      `with instant as (
         select max(observed_at) as at from ops.run
         where region = 'uk' and snapshot_date = $1 and status = 'published' and verdict <> 'partial'
       ), night as (
         select d.product_key, d.product_id as product, d.price from marts.fct_price_daily d, instant
         where d.region = 'uk' and d.snapshot_date = $1 and d.price is not null
           and ${wasForSale('d.product_key', 'at')}
       )
       select 0 as category, product, price from night
       union all
       select distinct b.category_key, product, price from night
       join marts.bridge_product_category b using (product_key), instant
       where b.valid_from <= at and (b.valid_to is null or b.valid_to > at)`,
      [date],
    );
    for (const { category, product, price } of rows) {
      const byNight = series.get(category) ?? new Map<string, Map<string, number>>();
      series.set(category, byNight);
      const prices = byNight.get(date) ?? new Map<string, number>();
      byNight.set(date, prices.set(product, Number(price)));
    }
  }
  return series;
}

interface PackChange {
  readonly product: string;
  readonly former: string | null;
  readonly confirmedOn: string;
  readonly ratio: number;
}

/** Prices per content from the night that confirms a change; a successor has its predecessor's name. */
function perContent(plain: Series, changes: readonly PackChange[]): Series {
  const convert = (date: string, prices: ReadonlyMap<string, number>) => {
    const converted = new Map<string, number>();
    for (const [product, price] of prices) {
      let [name, amount] = [product, price];
      for (const change of changes.filter(({ confirmedOn }) => confirmedOn <= date).reverse()) {
        if (change.product !== name) continue;
        amount *= change.ratio;
        name = change.former ?? name;
      }
      converted.set(name, amount);
    }
    return converted;
  };
  return new Map(
    [...plain].map(([category, byNight]) => [
      category,
      new Map([...byNight].map(([date, prices]) => [date, convert(date, prices)])),
    ]),
  );
}

/** Categories that always had something to be compared with; returns how many values were compared. */
async function compareWithReference(
  sql: Parameters<typeof rowsOf>[0],
  period: Period,
  series: Series,
  basis: string,
): Promise<number> {
  let compared = 0;
  const starts = [...new Set([...series.get(0)!.keys()].map((date) => periodStart(period, date)))].sort();
  for (const [category, byNight] of series) {
    const products = [...new Set([...byNight.values()].flatMap((prices) => [...prices.keys()]))];
    const book = starts.map((start): Prices => {
      const within = [...series.get(0)!].filter(([date]) => periodStart(period, date) === start);
      return products.map((product) => {
        const priced = within.filter(([, prices]) => prices.has(product));
        const lastPriced = priced.at(-1)?.[0];
        // It counts where it was when it last had a price in the period.
        if (lastPriced === undefined || !byNight.get(lastPriced)?.has(product)) return null;
        return priced.reduce((sum, [, prices]) => sum + prices.get(product)!, 0) / priced.length;
      });
    });
    if (book.some((prices, t) => (t === 0 ? prices.every((p) => p === null) : jevons(book[t - 1]!, prices) === null)))
      continue;
    const spliced = geksSeries(book, windowOf[period]);
    const rows = await rowsOf<{ start: string; method: string; value: string | null }>(
      sql,
      `select period_start as start, method, value from marts.price_index
       where region = 'uk' and category_key is not distinct from $1 and period = $2 and price_basis = $3`,
      [category === 0 ? null : category, period, basis],
    );
    const said = new Map(rows.map(({ start, method, value }) => [`${method} ${start}`, value]));
    let chained = 100;
    for (const [t, start] of starts.entries()) {
      if (t > 0) chained *= jevons(book[t - 1]!, book[t]!)!;
      const expected: Record<string, number | null> = { jevons_chained: chained, geks_jevons: percent(spliced[t]!) };
      for (const [method, value] of Object.entries(expected)) {
        const given = said.get(`${method} ${start}`);
        const what = `${method} of ${category} in ${period} ${start}: ${given}, expected ${value}`;
        if (value === null) expect(given, what).toBeNull();
        else expect(Math.abs(Number(given) / value - 1), what).toBeLessThan(1e-9);
        compared++;
      }
    }
  }
  return compared;
}

const percent = (index: number | null): number | null => (index === null ? null : 100 * index);
