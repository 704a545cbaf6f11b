import { beforeAll, describe, expect, it } from 'vitest';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { sqlDerivation } from '../../src/followers/derive/sql-derivation.ts';
import { useDatabase } from '../support/database.ts';
import { at, fillFewNights, keys } from './few-nights.ts';

describe('marts of nights', () => {
  const noted = { change_seq: expect.any(Number), updated_at: new Date(at.noted) };
  const database = useDatabase();
  const ask = async (text: string, values: unknown[] = []) => (await database.db.query(text, values)).rows;
  const asOf = (date: string, columns: string, region = 'uk') =>
    ask(`select ${columns} from marts.as_of($1, $2) order by product_id`, [region, date]);
  const daily = (where: string, columns: string) =>
    ask(`select ${columns} from marts.fct_price_daily where ${where} order by snapshot_date, product_id`);

  beforeAll(async () => {
    await fillFewNights(database.db);
    await deriveNights(database.db, 'uk', { all: [sqlDerivation('promotion-start')] });
  });

  describe('snapshot', () => {
    it('snapshot has one row per night, its latest published run, certified or not', async () => {
      expect(await ask('select * from marts.snapshot order by region, snapshot_date')).toMatchObject([
        { region: 'ie', snapshot_date: '2026-03-02', run_id: 3, certificate: 'complete' },
        { region: 'uk', snapshot_date: '2026-03-01', run_id: 1, certificate: 'complete' },
        { region: 'uk', snapshot_date: '2026-03-02', run_id: 2, certificate: 'complete' },
        { region: 'uk', snapshot_date: '2026-03-03', run_id: 4, certificate: 'partial' },
        { region: 'uk', snapshot_date: '2026-03-04', run_id: 6, certificate: 'partial' },
        { region: 'uk', snapshot_date: '2026-03-05', run_id: 7, certificate: 'complete_within_tolerance' },
        {
          region: 'uk',
          snapshot_date: '2026-03-06',
          run_id: 8,
          certificate: 'complete',
          products_listed: 800,
          products_available: 720,
          requests_spent: 40,
          started_at: new Date(at.n6),
          finished_at: new Date(at.n6),
        },
      ]);
    });
  });

  describe('as_of', () => {
    it('as_of returns a complete night with exact amounts, currency and listed products only', async () => {
      expect(await asOf('2026-03-02', '*')).toEqual([
        {
          region: 'uk',
          snapshot_date: '2026-03-02',
          product_id: '100',
          product_key: keys.milk,
          title: 'Milk Whole 2 Litre',
          price: '1.60',
          currency: 'GBP',
          unit_price: '0.8000',
          unit_of_measure: 'litre',
          loyalty_price: null,
          availability: 'available',
          on_promotion: false,
          ...noted,
          brand: null,
          run_id: 2,
          department: null,
        },
        expect.objectContaining({ product_id: '101', price: null, availability: 'unavailable' }),
        expect.objectContaining({ product_id: '102', price: '0.90', availability: 'available' }),
        expect.objectContaining({ product_id: '104', price: '2.75', loyalty_price: '2.30', on_promotion: true }),
      ]);
    });

    it('as_of uses the latest run of a night crawled twice', async () => {
      expect(await asOf('2026-03-04', 'product_id, unit_price, loyalty_price')).toEqual([
        { product_id: '100', unit_price: '0.8100', loyalty_price: null },
        { product_id: '101', unit_price: null, loyalty_price: null },
        { product_id: '102', unit_price: null, loyalty_price: null },
        { product_id: '103', unit_price: null, loyalty_price: null },
        { product_id: '104', unit_price: null, loyalty_price: '2.50' },
      ]);
    });

    it('as_of counts a promotion only while it is attached and in effect, excluding its end', async () => {
      const offers = await ask(
        `select date::date, loyalty_price, on_promotion
         from generate_series(timestamp '2026-03-01', '2026-03-06', interval '1 day') as date
         cross join lateral marts.as_of('uk', date::date)
         where product_id = '104' order by date`,
      );
      expect(offers).toEqual([
        { date: '2026-03-01', loyalty_price: null, on_promotion: true },
        { date: '2026-03-02', loyalty_price: '2.30', on_promotion: true },
        { date: '2026-03-03', loyalty_price: '2.30', on_promotion: true },
        { date: '2026-03-04', loyalty_price: '2.50', on_promotion: true },
        { date: '2026-03-05', loyalty_price: null, on_promotion: false },
        { date: '2026-03-06', loyalty_price: '2.10', on_promotion: true },
      ]);
    });

    it('as_of is empty before the first night, and for null', async () => {
      expect(await asOf('2026-02-28', '*')).toEqual([]);
      expect(await ask('select * from marts.as_of(null, null)')).toEqual([]);
    });
  });

  describe('fct_price_daily', () => {
    it('fct_price_daily contains only dates with a certified run', async () => {
      const dates = await ask('select distinct region, snapshot_date from marts.fct_price_daily order by 1, 2');
      expect(dates.map(({ region, snapshot_date }) => `${region} ${snapshot_date}`)).toEqual([
        'ie 2026-03-02',
        'uk 2026-03-01',
        'uk 2026-03-02',
        'uk 2026-03-04',
        'uk 2026-03-05',
        'uk 2026-03-06',
      ]);
    });

    it('fct_price_daily uses the latest certified run although a later run is uncertified', async () => {
      expect(
        await daily(
          `region = 'uk' and snapshot_date = '2026-03-04' and product_id in ('100', '104')`,
          'unit_price, loyalty_price',
        ),
      ).toEqual([
        { unit_price: '0.8000', loyalty_price: null },
        { unit_price: null, loyalty_price: '2.30' },
      ]);
    });
  });

  describe('fct_promotion', () => {
    it('fct_promotion has one row per spell with meaning and dates', async () => {
      const rows = await ask('select * from marts.fct_promotion order by seen_from, loyalty_price');
      expect(rows).toHaveLength(5);
      expect(rows[0]).toEqual({
        region: 'uk',
        product_id: '104',
        product_key: keys.tea,
        description: 'Loyalty price 1',
        offer_type: 'CLUBCARD_PRICING',
        kind: 'loyalty_price',
        loyalty_price: '2.50',
        currency: 'GBP',
        starts_at: new Date('2026-03-02T00:00:00Z'),
        ends_at: new Date('2026-03-05T00:00:00Z'),
        seen_from: new Date(at.n1),
        seen_to: null,
        effective_quantity: null,
        effective_price: null,
        promotion_key: 1,
        snapshot_date: '2026-03-01',
        // Later than the night: its first price is derived.
        change_seq: expect.any(Number),
        updated_at: expect.any(Date),
        deposit: null,
      });
      expect(rows[1]).toMatchObject({
        kind: 'multibuy',
        loyalty_price: null,
        starts_at: null,
        seen_to: new Date(at.n2),
        effective_quantity: 2,
        effective_price: '2.5000',
      });
    });
  });

  describe('fct_pack_change', () => {
    it('fct_pack_change computes the unit price effect exactly, even for low prices', async () => {
      await database.db.query(
        `insert into derived.pack_change (region, product_key, changed_at, snapshot_date, confirmed_on, route, measure,
           old_size, new_size,
           old_price_minor, new_price_minor, evidence, score)
         select 'uk', key, now(), '2026-03-02', '2026-03-06', 'in_place', measure, old_size, new_size, price, price,
           'title, unit price', 0.95
         from (values ($1::int, 'ml', 1320, 330, 51), ($2, 'each', 10000, 8000, 40)) as pack (key, measure, old_size,
           new_size, price)`,
        [keys.milk, keys.tea],
      );
      expect(
        await ask(
          `select product_key, old_unit_price, new_unit_price, unit_price_effect_pct
           from marts.fct_pack_change
           order by 1`,
        ),
      ).toEqual([
        { product_key: keys.milk, old_unit_price: '0.3864', new_unit_price: '1.5455', unit_price_effect_pct: '300.00' },
        { product_key: keys.tea, old_unit_price: '0.0000', new_unit_price: '0.0001', unit_price_effect_pct: '25.00' },
      ]);
    });
  });
});
