import { beforeAll, describe, expect, it } from 'vitest';
import type { RegionCode } from '../../src/base/model/index.ts';
import { deriveNights, forgetDerived, forgetWithNightBefore } from '../../src/followers/derive/derive-nights.ts';
import { regionJevons } from '../../src/followers/derive/region-jevons.ts';
import { regionMatch } from '../../src/followers/derive/region-match.ts';
import { departmentOf, fillFromTruth, type TrueNight } from '../support/book-from-truth.ts';
import { useDatabase } from '../support/database.ts';

const all = [regionMatch, regionJevons];

describe('the bilateral Jevons index', () => {
  const database = useDatabase();
  const query = (text: string, values?: readonly unknown[]) => database.db.query(text, values);
  const derive = (region: RegionCode) => deriveNights(database.db, region, { all });
  const certify = (region: RegionCode, date: string, verdict = 'complete') =>
    query('update ops.run set verdict = $3 where region = $1 and snapshot_date = $2', [region, date, verdict]);
  const kept = async () =>
    [
      ...(await query('select * from derived.region_jevons order by category_key, snapshot_date')).rows,
      ...(await query('select * from derived.region_pair order by uk_product_key, ie_product_key')).rows,
      ...(await query('select * from derived.region_price_spell order by uk_product_key, ie_product_key, valid_from'))
        .rows,
    ].map((row) => Object.values(row).join(' '));
  let nights: readonly TrueNight[] = [];
  const dates = () => [...new Set(nights.map(({ date }) => date))];

  beforeAll(async () => {
    nights = await fillFromTruth(database.db, {
      items: 400,
      seed: 3,
      from: '2026-03-01',
      nights: 6,
      step: 4,
      dailyTurnover: 0.01,
      dailyChange: 0.1,
    });
    // Some are in a second category of the same department, in which they count once.
    await query(
      `insert into catalog.category (region, category_id, name, label, depth, parent_key, path, first_seen_at)
       select region, 'below ' || category_id, 'below', 'aisle', 1, category_key, 'below', first_seen_at
       from catalog.category
       where region = 'uk'`,
    );
    await query(
      `insert into catalog.category_ancestor (category_key, ancestor_key, is_itself)
       select category_key, category_key, true from catalog.category where depth = 1
       union all select category_key, parent_key, false from catalog.category where depth = 1`,
    );
    await query(
      `insert into catalog.product_category (product_key, category_key, source, valid_from, valid_to)
       select m.product_key, below.category_key, 'listing', '2026-03-05T02:00:00Z',
         case when m.product_key % 2 = 0 then timestamptz '2026-03-13T02:00:00Z' end
       from catalog.product_category m join catalog.category below on below.parent_key = m.category_key
       where m.product_key % 3 = 0`,
    );
    await query(
      `insert into ops.fx_rate (base, quote, on_date, rate, source, loaded_at) values ('EUR', 'GBP', '2026-03-01', 0.86,
         'test', now())`,
    );
    await query(`update ops.run set verdict = 'partial' where snapshot_date > '2026-03-05'`);
    for (const region of ['uk', 'ie'] as const) await derive(region);
  });

  it('the index is the geometric mean of price ratios, by department and in total', async () => {
    await expectTrue();
    expect((await query('select from derived.region_jevons where category_key > 0')).rows.length).toBeGreaterThan(5);
  });

  it('new and dropped matches change all dates, and a full derivation gives the same', async () => {
    // A barcode is corrected, another product loses its codes, and a third changes its department.
    await query(
      `update catalog.product
       set gtin = null, tpnb = null, title = 'Something else', valid_from = '2026-03-09T02:00:00Z'
       where product_key in (select uk_product_key from marts.region_match order by uk_product_id limit 5)`,
    );
    await query(
      `update catalog.product uk set gtin = null, tpnb = ie.tpnb, valid_from = '2026-03-09T02:00:00Z'
       from catalog.product ie
       where ie.region = 'ie' and uk.product_key = (
           select max(p.product_key)
           from catalog.product p
           where p.region = 'uk' and p.product_key not in (select uk_product_key from marts.region_match))
         and ie.product_key = (
           select max(p.product_key)
           from catalog.product p
           where p.region = 'ie' and p.product_key not in (select ie_product_key from marts.region_match))`,
    );
    const before = await kept();
    await certify('uk', '2026-03-09');
    await derive('uk');
    // Ireland has no night of that date: there is no new date, but the dates before follow the matches.
    const follows = await kept();
    expect(follows.length).toBeGreaterThan(0);
    expect(follows).not.toEqual(before);
    await certify('ie', '2026-03-09');
    await derive('ie');
    await expectTrue();
    await expectSameAnew();
  });

  it('the index follows nights that are crawled again, released, replayed or no longer certified', async () => {
    for (const date of ['2026-03-13', '2026-03-17', '2026-03-21']) {
      await certify('ie', date);
      await derive('ie');
      await certify('uk', date);
      await derive('uk');
    }
    await query(
      `insert into ops.run (region, snapshot_date, observed_at, status, phase, max_details, origin, started_at, verdict)
       values ('ie', '2026-03-21', '2026-03-21T11:00:00Z', 'published', 'over', 0, 'crawl',
         '2026-03-21T11:00:00Z', 'complete')`,
    );
    await query(
      `update catalog.price_spell price set valid_to = '2026-03-21T11:00:00Z'
       from catalog.product p
       where p.product_key = price.product_key
         and p.region = 'ie'
         and price.valid_to is null
         and price.product_key % 4 = 0`,
    );
    await query(
      `insert into catalog.price_spell (product_key, price_minor, valid_from)
       select product_key, price_minor * 2, valid_to from catalog.price_spell where valid_to = '2026-03-21T11:00:00Z'`,
    );
    await derive('ie');
    await expectTrue();
    await certify('uk', '2026-03-13', 'partial');
    await derive('uk');
    await expectTrue();
    await database.db.tx((tx) => forgetDerived(tx, 'ie', '2026-03-05', all));
    expect((await query(`select from marts.fct_region_jevons where snapshot_date >= '2026-03-05'`)).rows).toEqual([]);
    await derive('uk');
    await derive('ie');
    await expectTrue();
    await expectSameAnew();
  });

  it('all matches remain if the last night is no longer certified and none follows', async () => {
    const before = await kept();
    await certify('ie', '2026-03-21', 'partial');
    await database.db.tx((tx) => forgetWithNightBefore(tx, 'ie', '2026-03-21'));
    expect(await derive('ie')).toBe(1);
    await expectTrue();
    await expectSameAnew();
    await certify('ie', '2026-03-21');
    await derive('ie');
    expect(await kept()).toEqual(before);
  });

  it('implausible ratios are excluded and counted', async () => {
    const [night] = (
      await query('select * from marts.fct_region_jevons where department is null order by snapshot_date limit 1')
    ).rows;
    await query(
      `update catalog.price_spell set price_minor = price_minor * 50
       where product_key
         = (
           select ie_product_key
           from marts.fct_region_gap
           where snapshot_date = $1 and gap_pct is not null
           order by 1
           limit 1)`,
      [night!['snapshot_date']],
    );
    await database.db.tx((tx) => forgetDerived(tx, 'ie', '2026-03-01', all));
    await derive('ie');
    const [again] = (
      await query('select * from marts.fct_region_jevons where department is null order by snapshot_date limit 1')
    ).rows;
    expect([again!['matched_products'], again!['left_out_products']]).toEqual([
      Number(night!['matched_products']) - 1,
      1,
    ]);
    await expectTrue();
  });

  it('the gap needs an exchange rate, the parity does not', async () => {
    const { rows } = await query(
      'select snapshot_date, parity, gap_pct from marts.fct_region_jevons where department is null order by 1',
    );
    for (const row of rows) {
      expect(Number(row['parity'])).toBeGreaterThan(0.5);
      if (String(row['snapshot_date']) <= '2026-03-08')
        expect(Number(row['gap_pct'])).toBeCloseTo(100 * (Number(row['parity']) * 0.86 - 1), 2);
      else expect(row['gap_pct']).toBeNull();
    }
  });

  /** Computed from all matches of a night in the mart, which another test compares with the simulator. */
  async function expectTrue(): Promise<void> {
    const departments = new Map(
      nights.flatMap(({ region, products }) =>
        region === 'uk'
          ? [...products.values()].map((product) => [product.productId, departmentOf(product)] as const)
          : [],
      ),
    );
    const { rows } = await query(
      `select snapshot_date, uk_product_id as uk, uk_price, ie_price from marts.fct_region_gap
       where uk_price > 0 and ie_price > 0`,
    );
    const ratios = new Map<string, number[]>();
    for (const { snapshot_date, uk, uk_price, ie_price } of rows) {
      const ratio = Number(ie_price) / Number(uk_price);
      if (ratio < 0.1 || ratio > 10) continue;
      for (const department of ['all', departments.get(String(uk))!]) {
        const key = `${snapshot_date} ${department}`;
        ratios.set(key, [...(ratios.get(key) ?? []), ratio]);
      }
    }
    const { rows: told } = await query(
      `select snapshot_date, coalesce(department, 'all') as department, matched_products, parity
       from marts.fct_region_jevons
       where matched_products > 0`,
    );
    expect(told.map((row) => `${row['snapshot_date']} ${row['department']}`).sort()).toEqual([...ratios.keys()].sort());
    for (const row of told) {
      const expected = ratios.get(`${row['snapshot_date']} ${row['department']}`)!;
      expect(row['matched_products']).toBe(expected.length);
      const mean = expected.reduce((sum, ratio) => sum + Math.log(ratio), 0) / expected.length;
      expect(Math.log(Number(row['parity']))).toBeCloseTo(mean, 9);
    }
    expect(dates().length).toBe(6);
    await expectTrueSpells();
  }

  /** Both prices on each date; adjacent spells have different prices. */
  async function expectTrueSpells(): Promise<void> {
    const priced = 'snapshot_date::text, uk_product_key, ie_product_key, uk_price, ie_price';
    const { rows: gaps } = await query(
      `select ${priced}, round(ie_price / uk_price, 6)::text as ratio
       from marts.fct_region_gap where uk_price > 0 and ie_price > 0 order by 1, 2, 3`,
    );
    const { rows: held } = await query(
      `select ${priced}, round(ratio::numeric, 6)::text as ratio
       from (select distinct snapshot_date from marts.fct_region_jevons) as night
       join marts.fct_region_price_spell
         on valid_from <= snapshot_date and (valid_to is null or valid_to > snapshot_date)
       order by 1, 2, 3`,
    );
    expect(held.length).toBeGreaterThan(0);
    expect(held).toEqual(gaps);
    const { rows: split } = await query(
      `select from marts.fct_region_price_spell before
       join marts.fct_region_price_spell after using (uk_product_key, ie_product_key, uk_price, ie_price)
       where before.valid_to = after.valid_from`,
    );
    expect(split.length).toBe(0);
  }

  async function expectSameAnew(): Promise<void> {
    const incremental = await kept();
    await query(
      `truncate derived.night, derived.match_key, derived.region_pair, derived.region_jevons,
       derived.region_price_spell, derived.compared_pair`,
    );
    for (const region of ['ie', 'uk'] as const) await derive(region);
    expect(await kept()).toEqual(incremental);
  }
});
