import { beforeAll, describe, expect, it } from 'vitest';
import { camelRows, rowsOf } from '../../src/db/rows.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { useCliHome } from '../cli/pricebook.ts';
import { writePromotionBook } from '../derive/promotion-book.ts';
import { fillRandomBook } from '../derive/random-book.ts';
import { sqlBlocksOf } from '../docs/examples.ts';
import { fillFromTruth } from '../support/book-from-truth.ts';
import { useDatabase } from '../support/database.ts';

type Row = Record<string, string | number | boolean | null>;

describe('questions about the behaviour of prices', () => {
  const database = useDatabase();
  const cliHome = useCliHome();

  beforeAll(async () => {
    await fillRandomBook(database.db, { seed: 21, first: '2026-02-16', runs: 76, products: 60 });
    await deriveNights(database.db, 'uk');
  });

  const ask = async (...args: string[]): Promise<Row[]> => {
    const { code, stdout, stderr } = await cliHome.run([...args, '--json'], { DATABASE_URL: database.url });
    expect({ code, stderr }).toMatchObject({ code: 0, stderr });
    return JSON.parse(stdout).rows;
  };

  it('promotion-depth has the share of the product-nights for sale of each week that were on promotion', async () => {
    const rows = await ask('promotion-depth');
    const counted = await rowsOf<{ week: string; nights: number; listed: number; all: number; promoted: number }>(
      database.db,
      `select date_trunc('week', d.snapshot_date::timestamp)::date as week, count(*)::int as listed,
         (count(*) filter (where d.availability = 'available' and d.price is not null))::int as all,
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
      counted.map(({ all, promoted }) => percent(promoted / all, 2)),
    );
    expect(counted.every(({ all, listed }) => all < listed)).toBe(true);
    expect(rows.every((row) => row['category_path'] === null)).toBe(true);
  });

  it('unit-price-rank orders the products of a shelf that have the unit of the product by unit price', async () => {
    await database.db.query(
      `update catalog.product_current set unit_price = price_minor * 0.01,
         unit_of_measure = case when product_key % 2 = 0 then 'litre' else 'kg' end`,
    );
    const rows = await ask('unit-price-rank', '--product', '1');
    const prices = rows.map((row) => Number(row['unit_price']));
    expect(prices.length).toBeGreaterThan(1);
    expect(rows.map((row) => Number(row['rank']))).toEqual(
      prices.map((price) => 1 + prices.filter((other) => other < price).length),
    );
    expect(prices).toEqual([...prices].sort((a, b) => a - b));
    expect(rows.filter((row) => row['is_asked']).map((row) => row['product_id'])).toEqual(['1']);
    const shelf = await rowsOf<{ count: number }>(
      database.db,
      `select count(*)::int as count
       from marts.product_now join marts.product_category_now using (product_key)
       where category_key = $1 and availability = 'available' and unit_price > 0 and unit_of_measure = 'kg'`,
      [rows[0]!['category_key']],
    );
    expect(rows.length).toBe(shelf[0]!.count);
  });
});

describe('promotion-depth about offers', () => {
  const database = useDatabase();
  const cliHome = useCliHome();

  beforeAll(async () => {
    const offers = [...Array.from({ length: 5 }, () => 1), 2, 3, 3, 5];
    const cases = offers.map((day) => ({ prices: '1:200', promotions: [`${day}- £1.50 Clubcard Price`], prior: '' }));
    const runs = Array.from({ length: 8 }, (_, n) => String(n + 1));
    await writePromotionBook(database.db, 'uk', cases, { runs, partial: [], firstKey: 1 });
    await deriveNights(database.db, 'uk');
  });

  it('offers that already run on the first night have not begun', async () => {
    const { stdout } = await cliHome.run(['promotion-depth', '--json'], { DATABASE_URL: database.url });
    const { rows } = JSON.parse(stdout) as { rows: Row[] };
    expect(rows).toMatchObject([
      { week_starts_on: '2025-12-29', promotions_begun: 3 },
      { week_starts_on: '2026-01-05', promotions_begun: 1 },
    ]);
  });
});

describe('the rate of price changes', () => {
  const database = useDatabase();
  const lost = ['4', '6', '9', '12'];

  beforeAll(async () => {
    // In two weeks, 8 of 40 prices change.
    const cases = Array.from({ length: 40 }, (_, n) => ({
      prices: n < 8 ? `1:200 ${n + 3}:250` : '1:200',
      promotions: [],
      prior: '',
    }));
    const runs = Array.from({ length: 15 }, (_, n) => String(n + 1));
    const left = runs.filter((run) => run === '6' || !lost.includes(run));
    await writePromotionBook(database.db, 'uk', cases, { runs, partial: [], firstKey: 1 });
    await writePromotionBook(database.db, 'ie', cases, { runs: left, partial: ['6'], firstKey: 101 });
    for (const region of ['uk', 'ie'] as const) await deriveNights(database.db, region);
  });

  it('is per product-day between certified nights, so that lost nights do not raise it', async () => {
    const recipe = sqlBlocksOf('docs/analyse/recipes.md').find(({ name }) =>
      name.startsWith('price changes in 30 days'),
    );
    const uk = { month: '2026-01-01', changes: 8, product_days: '560', changes_per_100: '42.86' };
    expect(await rowsOf(database.db, recipe!.statement)).toMatchObject([uk]);
    expect(await rowsOf(database.db, recipe!.statement.replaceAll("'uk'", "'ie'"))).toMatchObject([uk]);
  });
});

describe('questions about both regions, brands and baskets', () => {
  const database = useDatabase();
  const cliHome = useCliHome();

  beforeAll(async () => {
    await fillFromTruth(database.db, { items: 120, seed: 5, flicker: 0.02, from: '2026-03-01', nights: 45 });
    for (const region of ['uk', 'ie'] as const) await deriveNights(database.db, region);
    await database.db.query(
      `update catalog.product_current c set unit_price = 1 + product_key % 7, unit_of_measure = 'kg', leaf_key = (
         select category_key from catalog.extra_listing x join catalog.category using (category_key)
         where x.product_key = c.product_key order by depth desc, category_key limit 1)`,
    );
  });

  const ask = async (...args: string[]): Promise<Row[]> => {
    const { code, stdout, stderr } = await cliHome.run([...args, '--json'], { DATABASE_URL: database.url });
    expect({ code, stderr }).toMatchObject({ code: 0, stderr });
    return JSON.parse(stdout).rows;
  };

  it('basket sums the prices of each night, and has no total on nights without a price', async () => {
    const items = await camelRows<{ id: string; title: string; ukKey: number; ieKey: number | null; quantity: number }>(
      database.db,
      `select p.product_id as id, p.title, p.product_key as uk_key, m.ie_product_key as ie_key,
         row_number() over (order by p.product_key)::int as quantity
       from marts.product_now p left join marts.region_match m on m.uk_product_key = p.product_key and m.tier < 3
       where p.region = 'uk' and (m.ie_product_key is not null or p.product_key % 20 = 0)
       order by p.product_key limit 12`,
    );
    const prices = await rowsOf<{ key: number; date: string; price: string | null }>(
      database.db,
      `select n.product_key as key, n.snapshot_date as date, n.price from marts.snapshot s
       cross join lateral (select * from marts.product_night where run_id = s.run_id) as n`,
    );
    const priceAt = new Map(prices.map(({ key, date, price }) => [`${key} ${date}`, price]));
    const isPriced = (key: unknown, date: unknown) => (priceAt.get(`${key} ${date}`) ?? null) !== null;
    const rows = await ask('basket', '--items', items.map(({ id, quantity }) => `${id}:${quantity}`).join());
    const sumOf = (keys: readonly (readonly [key: number, quantity: number])[], date: unknown) =>
      !keys.every(([key]) => isPriced(key, date))
        ? null
        : keys.reduce((sum, [key, quantity]) => sum + quantity * Number(priceAt.get(`${key} ${date}`)), 0).toFixed(2);
    const shared = items.filter(({ ieKey }) => ieKey !== null);
    for (const { region, snapshot_date: date, ...row } of rows) {
      const own = region === 'uk' ? items : shared;
      const keyOf = (of: (typeof items)[number]) => [own === items ? of.ukKey : of.ieKey!, of.quantity] as const;
      const missing = own.filter((item) => !isPriced(keyOf(item)[0], date));
      const inBoth = shared.filter(({ ukKey, ieKey }) => isPriced(ukKey, date) && isPriced(ieKey, date));
      expect({ region, date, ...row }).toMatchObject({
        ...{ region, date, products: own.length, shared_products: inBoth.length, missing: missing.length },
        missing_titles: missing.length === 0 ? null : expect.stringContaining(missing[0]!.title),
        total: sumOf(own.map(keyOf), date),
        shared_total: sumOf(inBoth.map(keyOf), date),
      });
    }
    expect(rows.length).toBe(90);
    expect(rows.some(({ total }) => total === null) && rows.some(({ total }) => total !== null)).toBe(true);
    const [likely] = await rowsOf<{ id: string }>(
      database.db,
      'select uk_product_id as id from marts.region_match where tier = 3 order by 1 limit 1',
    );
    const alone = await ask('basket', '--items', likely!.id);
    expect(new Set(alone.map((row) => row['shared_products']))).toEqual(new Set([0]));
    // A relisted article has two matches: the one that was for sale that night counts.
    const irish = rows.filter(({ region }) => region === 'ie');
    const gap = ({ ieKey }: (typeof items)[number]) => irish.filter((row) => !isPriced(ieKey, row['snapshot_date']));
    const one = shared.find((item) => gap(item).length > 0)!;
    const former = await database.db.query<{ key: number }>(
      `insert into derived.region_pair (uk_product_key, ie_product_key, tier, score, since)
       select $1, product_key, 2, 1, now() from marts.product_now where region = 'ie' and product_key < $2 limit 1
       returning ie_product_key as key`,
      [one.ukKey, one.ieKey],
    );
    const filled = gap(one).filter((row) => isPriced(former.rows[0]!.key, row['snapshot_date']));
    const again = await ask('basket', '--items', items.map(({ id, quantity }) => `${id}:${quantity}`).join());
    expect(again.filter(({ region }) => region === 'ie').map(({ missing }) => missing)).toEqual(
      irish.map((row) => Number(row['missing']) - Number(filled.includes(row))),
    );
    expect(filled).not.toEqual([]);
    const { code, stderr } = await cliHome.run(['basket', '--items', 'nothing:2'], { DATABASE_URL: database.url });
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('with the id nothing') });
  });

  it('basket-swaps finds the least that the content of that kind costs, if members save, too', async () => {
    const kindOf = (title: string) => title.replace(/ (Loose|in|with|for|\d).*/, '').replace(/^.* |s$/g, '');
    const sold = await rowsOf<Readonly<Record<'id' | 'shelf' | 'price' | 'unit' | 'title' | 'paid', string>>>(
      database.db,
      `select distinct on (p.product_key) p.product_id as id, m.category_key || p.unit_of_measure as shelf, p.price,
         p.unit_price as unit, p.title, least(p.price, p.loyalty_price) as paid
       from marts.product_now p
       join marts.product_category_now m using (product_key)
       where p.region = 'uk' and p.availability = 'available' and p.unit_price > 0
       order by p.product_key, m.depth desc, m.category_key`,
    );
    const basket = sold.slice(0, 100);
    const rows = await ask('basket-swaps', '--items', basket.map(({ id }) => `${id}:3`).join());
    for (const [place, { id, shelf, price, unit, title, paid }] of basket.entries()) {
      const content = Number(price) / Number(unit);
      const costs = sold
        .filter((other) => other.shelf === shelf && kindOf(other.title) === kindOf(title))
        .map((other) => {
          const packs = (3 * content) / (Number(other.price) / Number(other.unit)) - 0.05;
          return Math.max(1, Math.ceil(packs - 1e-12)) * Number(other.price);
        });
      const [cost, least] = [3 * Number(price), Math.min(...costs)];
      const swapCost = least < 3 * Number(paid) - 0.001 ? least.toFixed(2) : null;
      expect(rows[place]).toMatchObject({ product_id: id, cost: cost.toFixed(2), swap_cost: swapCost });
    }
    expect(new Set(rows.map((row) => row['swap_cost'] === null))).toEqual(new Set([true, false]));
  });
  it('private-label compares own brands with others by shelf, and how the prices of both moved', async () => {
    const sold = await camelRows<{
      part: string;
      shelf: number | null;
      isOwn: boolean;
      unit: string;
      change: number | null;
    }>(
      database.db,
      `select d.department as part, p.unit_price as unit, coalesce(p.brand_key like 'meridian%', false) as is_own,
         ln(p.price::float8 / before.price::float8) as change,
         case when not exists (
           select from marts.dim_category below where below.parent_key = p.own_category_key and below.gone_at is null)
         then p.own_category_key end as shelf
       from marts.product_now p
       join marts.dim_product d on d.product_key = p.product_key and d.replaced_at is null
       left join marts.fct_price_daily before
         on before.region = 'uk' and before.snapshot_date = '2026-03-15' and before.product_key = p.product_key
       where p.region = 'uk' and p.availability = 'available'`,
    );
    expect(sold.some(({ change }) => change === null)).toBe(true);
    const rows = await ask('private-label');
    const median = (values: number[]) => {
      const sorted = values.sort((a, b) => a - b);
      return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2;
    };
    for (const row of rows) {
      const part = sold.filter((one) => one.part === row['category_path']);
      const own = part.filter(({ isOwn }) => isOwn).length;
      const shelves = [...new Set(part.flatMap(({ shelf }) => shelf ?? []))].map((shelf) =>
        [true, false].map((isOwn) =>
          part.filter((one) => one.shelf === shelf && one.isOwn === isOwn).map(({ unit }) => Math.log(Number(unit))),
        ),
      );
      const compared = shelves.filter((sides) => sides.every(({ length }) => length >= 3));
      const gaps = compared.map(([ours, theirs]) => Math.exp(mean(ours!) - mean(theirs!)));
      const changeOf = (own: boolean) => {
        const known = part.flatMap(({ isOwn, change }) => (isOwn === own && change !== null ? [change] : []));
        return known.length === 0 ? null : Math.exp(mean(known)) - 1;
      };
      expect([row['private_label_change_pct'], row['brand_change_pct']].map(orNumber)).toEqual(
        [true, false].map((own) => orNumber(changeOf(own) === null ? null : percent(changeOf(own)!))),
      );
      expect(row).toMatchObject({
        ...{ products: part.length, private_label_products: own, shelves_compared: compared.length },
        private_label_share_pct: percent(own / part.length),
        unit_price_gap_pct: gaps.length === 0 ? null : percent(median(gaps) - 1),
      });
    }
    expect(rows.some((row) => Number(row['private_label_products']) > 0)).toBe(true);
    expect(rows.some((row) => row['private_label_change_pct'] !== null && row['brand_change_pct'] !== null)).toBe(true);
  });
});

const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;
const percent = (share: number, digits = 4): string => (100 * share).toFixed(digits);
const orNumber = (text: Row[string] | undefined): number | null => (text === null ? null : Number(text) || 0);
