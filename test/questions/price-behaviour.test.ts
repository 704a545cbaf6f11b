import { beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { useHousehold } from '../cli/pricebook.ts';
import { fillRandomBook } from '../derive/random-book.ts';
import { fillFromTruth } from '../support/book-from-truth.ts';
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
    expect({ code, stderr }).toMatchObject({ code: 0, stderr });
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

  it('fct_loyalty_price_change has each change of a loyalty price while the product stays listed', async () => {
    const rows = await rowsOf<{ date: string; run: number; product: number; price: string | null }>(
      database.db,
      `select n.snapshot_date as date, run.run_id as run, n.product_key as product, n.loyalty_price as price
       from ops.published_run run
       cross join lateral (select * from marts.product_night where run_id = run.run_id) as n
       where run.region = 'uk'
       order by run.observed_at`,
    );
    const runs = new Set(rows.map(({ run }) => run));
    const expected: unknown[] = [];
    let before = new Map<number, string | null>();
    for (const run of runs) {
      const listed = rows.filter((row) => row.run === run);
      const { date } = listed[0]!;
      const now = new Map(listed.map(({ product, price }) => [product, price]));
      for (const [product, price] of now)
        if (before.has(product) && before.get(product) !== price)
          expected.push({ date, product, before: before.get(product), after: price });
      before = now;
    }
    const found = await rowsOf(
      database.db,
      `select snapshot_date as date, product_key as product, old_loyalty_price as before, new_loyalty_price as after
       from marts.fct_loyalty_price_change where region = 'uk'`,
    );
    const sorted = (list: unknown[]) => list.map((row) => JSON.stringify(row)).sort();
    expect(expected.length).toBeGreaterThan(50);
    expect(sorted(found)).toEqual(sorted(expected));
  });

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

  it('price-durations estimates survival by Kaplan and Meier, censoring at departures and the last night', async () => {
    const rows = await ask('price-durations', '--since', '2026-02-16');
    const spells = changes().map(({ product, night, after }) => {
      const end = nights.findIndex(({ prices }, later) => later > night && prices.get(product) !== after);
      const isGone = end >= 0 && !nights[end]!.prices.has(product);
      return { days: daysBetween(night, end < 0 ? lastNight() : end), isEnded: end >= 0 && !isGone, isGone };
    });
    expect(rows.length).toBeGreaterThan(4);
    for (const row of rows) {
      const age = Number(row['age_days']);
      let survival = 1;
      for (let day = 1; day <= age; day++) {
        const atRisk = spells.filter(({ days }) => days >= day).length;
        const ended = spells.filter(({ days, isEnded }) => isEnded && days === day).length;
        survival *= 1 - ended / atRisk;
      }
      expect(row).toEqual({
        age_days: age,
        prices_at_risk: spells.filter(({ days }) => days >= age).length,
        ended: spells.filter(({ days, isEnded }) => isEnded && days <= age).length,
        censored_by_departure: spells.filter(({ days, isGone }) => isGone && days <= age).length,
        censored_by_end: spells.filter(({ days, isEnded, isGone }) => !isEnded && !isGone && days <= age).length,
        surviving_pct: percent(survival),
      });
    }
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

  it('weighted-index is the weighted mean of the indices of its categories since the reference period', async () => {
    const kept = await rowsOf<{ key: number; id: string; start: string; value: number | null }>(
      database.db,
      `select i.category_key as key, c.category_id as id, i.period_start as start, i.value::float8 as value
       from marts.price_index i join marts.dim_category c using (category_key)
       where i.region = 'uk' and i.period = 'week' and i.method = 'geks_jevons' and i.price_basis = 'shelf'
         and i.base_start = (select min(period_start) from marts.price_index where period = 'week')
       order by 1, 3`,
    );
    const [a, b] = [...new Set(kept.map(({ id }) => id))];
    const starts = [...new Set(kept.map(({ start }) => start))].sort();
    const indexOf = (id: string, start: string) => kept.find((row) => row.id === id && row.start === start)?.value;
    const reference = starts[2]!;
    const rows = await ask(
      ...['weighted-index', '--weights', `${a}=3;${b}=0.5`, '--period', 'week', '--basis', 'shelf'],
      ...['--reference', reference],
    );
    expect(rows.map((row) => row['period_start'])).toEqual(starts);
    for (const row of rows) {
      const start = String(row['period_start']);
      const ratio = (id: string) => indexOf(id, start)! / indexOf(id, reference)!;
      expect(Number(row['value'])).toBeCloseTo((100 * (3 * ratio(a!) + 0.5 * ratio(b!))) / 3.5, 9);
    }
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

describe('questions about both regions, brands and baskets', () => {
  const database = useDatabase();
  const household = useHousehold();

  beforeAll(async () => {
    await fillFromTruth(database.db, { items: 120, seed: 5, from: '2026-03-01', nights: 45 });
    for (const region of ['uk', 'ie'] as const) await deriveNights(database.db, region);
    await database.db.query(
      `update catalog.product_current set unit_price = 1 + product_key % 7, unit_of_measure = 'kg'`,
    );
  });

  it('pass-through follows each change of a matched product to the first one of the other region', async () => {
    const { stdout } = await household.run(['pass-through', '--json'], { DATABASE_URL: database.url });
    const { rows } = JSON.parse(stdout) as { rows: Row[] };
    const prices = await rowsOf<{ region: string; item: number; date: string; price: string }>(
      database.db,
      `select d.region, m.uk_product_key as item, d.snapshot_date as date, d.price
       from marts.region_match m
       join marts.fct_price_daily d on d.product_key in (m.uk_product_key, m.ie_product_key)
       where d.snapshot_date between '2026-03-01' and '2026-04-14' and d.price is not null
       order by 1, 2, 3`,
    );
    const day = (date: string) => Date.parse(date) / 86_400_000;
    const changes = prices.flatMap(({ region, item, date, price }, i) => {
      const before = prices[i - 1];
      const isNext = before?.region === region && before.item === item && day(date) - day(before.date) === 1;
      const move = isNext ? Math.log(Number(price) / Number(before.price)) : 0;
      return move === 0 ? [] : [{ region, item, day: day(date), move }];
    });
    const last = day('2026-04-14');
    for (const row of rows) {
      const led = changes.filter((one) => one.region === row['leader'] && one.day <= last - 30);
      const followers = led.flatMap((one) => {
        const other = changes.find(
          ({ region, item, day: on, move }) =>
            region !== one.region &&
            item === one.item &&
            on >= one.day &&
            on <= one.day + Number(row['within_days']) &&
            Math.sign(move) === Math.sign(one.move),
        );
        return other ? [other.move / one.move] : [];
      });
      expect(row).toMatchObject({
        price_changes: led.length,
        followed_pct: percent(followers.length / led.length),
      });
      if (followers.length === 0) expect(row['median_pass_through']).toBeNull();
      else expect(Math.abs(Number(row['median_pass_through']) - median(followers))).toBeLessThan(1e-9);
    }
    expect(rows.length).toBe(12);
    expect(rows.some((row) => row['median_pass_through'] !== null)).toBe(true);
  });

  const ask = async (...args: string[]): Promise<Row[]> => {
    const { code, stdout, stderr } = await household.run([...args, '--json'], { DATABASE_URL: database.url });
    expect({ code, stderr }).toMatchObject({ code: 0, stderr });
    return JSON.parse(stdout).rows;
  };

  it('basket sums the prices of each night, and has no total on nights without a price', async () => {
    const items = await rowsOf<{ id: string; ukKey: number; ieKey: number | null; quantity: number }>(
      database.db,
      `select p.product_id as id, p.product_key as "ukKey", m.ie_product_key as "ieKey",
         row_number() over (order by p.product_key)::int as quantity
       from marts.product_now p left join marts.region_match m on m.uk_product_key = p.product_key
       where p.region = 'uk' and (m.ie_product_key is not null or p.product_key % 20 = 0)
       order by p.product_key limit 12`,
    );
    const prices = await rowsOf<{ key: number; date: string; price: string | null }>(
      database.db,
      `select n.product_key as key, n.snapshot_date as date, n.price from marts.snapshot s
       cross join lateral (select * from marts.product_night where run_id = s.run_id) as n`,
    );
    const priceAt = new Map(prices.map(({ key, date, price }) => [`${key} ${date}`, price]));
    const rows = await ask('basket', '--items', items.map(({ id, quantity }) => `${id}:${quantity}`).join());
    const sumOf = (keys: readonly (readonly [key: number, quantity: number])[], date: unknown) =>
      keys.some(([key]) => (priceAt.get(`${key} ${date}`) ?? null) === null)
        ? null
        : keys.reduce((sum, [key, quantity]) => sum + quantity * Number(priceAt.get(`${key} ${date}`)), 0).toFixed(2);
    const shared = items.filter(({ ieKey }) => ieKey !== null);
    for (const { region, snapshot_date: date, ...row } of rows) {
      const isUk = region === 'uk';
      const own = isUk ? items : shared;
      const keyOf = (item: (typeof items)[number]) => [isUk ? item.ukKey : item.ieKey!, item.quantity] as const;
      expect({ region, date, ...row }).toMatchObject({
        ...{ region, date, products: own.length, shared_products: shared.length },
        missing: own.filter((item) => (priceAt.get(`${keyOf(item)[0]} ${date}`) ?? null) === null).length,
        total: sumOf(own.map(keyOf), date),
        shared_total: sumOf(shared.map(keyOf), date),
      });
    }
    expect(rows.length).toBe(90);
    expect(rows.some(({ total }) => total === null) && rows.some(({ total }) => total !== null)).toBe(true);
    // A relisted article has two matches: the one that is sold now counts.
    const one = shared.at(-1)!;
    const former = await database.db.query(
      `insert into derived.region_pair (uk_product_key, ie_product_key, tier, score, since)
       select $1, product_key, 2, 1, now() from marts.product_now where region = 'ie' and product_key < $2 limit 1`,
      [one.ukKey, one.ieKey],
    );
    expect(former.rowCount).toBe(1);
    const again = await ask('basket', '--items', items.map(({ id, quantity }) => `${id}:${quantity}`).join());
    await database.db.query('delete from derived.region_pair where uk_product_key = $1 and ie_product_key <> $2', [
      one.ukKey,
      one.ieKey,
    ]);
    expect(again).toEqual(rows);
    const { code, stderr } = await household.run(['basket', '--items', 'nothing:2'], { DATABASE_URL: database.url });
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('with the id nothing') });
  });

  it('basket-swaps finds the least that the same content costs on the shelf', async () => {
    const sold = await rowsOf<{ id: string; shelf: number; price: string; unit: string; measure: string }>(
      database.db,
      `select distinct on (p.product_key) p.product_id as id, m.category_key as shelf, p.price,
         p.unit_price as unit, p.unit_of_measure as measure
       from marts.product_now p
       join marts.product_category_now m using (product_key)
       where p.region = 'uk' and p.availability = 'available' and p.unit_price > 0
       order by p.product_key, m.depth desc, m.category_key`,
    );
    const basket = sold.slice(0, 40);
    const rows = await ask('basket-swaps', '--items', basket.map(({ id }) => `${id}:3`).join());
    for (const [place, { id, shelf, price, unit, measure }] of basket.entries()) {
      const content = Number(price) / Number(unit);
      const costs = sold
        .filter((other) => other.shelf === shelf && other.measure === measure)
        .map((other) => {
          const packs = (3 * content) / (Number(other.price) / Number(other.unit)) - 0.05;
          return Math.max(1, Math.ceil(packs - 1e-12)) * Number(other.price);
        });
      const [cost, least] = [3 * Number(price), Math.min(...costs)];
      const swapCost = least < cost - 0.001 ? least.toFixed(2) : null;
      expect(rows[place]).toMatchObject({ product_id: id, cost: cost.toFixed(2), swap_cost: swapCost });
    }
    expect(rows.filter((row) => row['swap_cost'] !== null).length).toBeGreaterThan(5);
    expect(rows.some((row) => row['swap_cost'] === null)).toBe(true);
  });

  it('private-label counts the brands that private_label names, and compares their unit prices', async () => {
    const products = await rowsOf<{ department: string; brand: string | null; unit: number | null; measure: string }>(
      database.db,
      `select c.path as department, p.brand, p.unit_price::float8 as unit, p.unit_of_measure as measure
       from marts.product_now p
       join marts.product_category_now m on m.product_key = p.product_key and m.depth = 0
       join marts.dim_category c on c.category_key = m.category_key
       where p.region = 'uk' and p.availability = 'available'`,
    );
    const isOwn = ({ brand }: { brand: string | null }) => /^meridian( |$)/i.test(brand ?? '');
    const rows = await ask('private-label');
    expect(rows.length).toBe(new Set(products.map(({ department }) => department)).size);
    for (const row of rows) {
      const here = products.filter(({ department }) => department === row['category_path']);
      const ratios = [...new Set(here.map(({ measure }) => measure))].flatMap((measure) => {
        const priced = here.filter((product) => product.measure === measure && (product.unit ?? 0) > 0);
        const [own, branded] = [priced.filter(isOwn), priced.filter((product) => !isOwn(product))];
        if (Math.min(own.length, branded.length) < 3) return [];
        return [median(own.map(({ unit }) => unit!)) / median(branded.map(({ unit }) => unit!))];
      });
      expect(row).toMatchObject({
        products: here.length,
        private_label_products: here.filter(isOwn).length,
        private_label_share_pct: percent(here.filter(isOwn).length / here.length),
        shelves_compared: ratios.length,
        unit_price_gap_pct: ratios.length === 0 ? null : percent(median(ratios) - 1),
      });
    }
    expect(rows.some((row) => row['unit_price_gap_pct'] !== null)).toBe(true);
    expect(rows.some((row) => row['private_label_change_pct'] !== null)).toBe(true);
  });
});

const percent = (share: number): string => (100 * share).toFixed(2);

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}
