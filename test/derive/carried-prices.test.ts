import { beforeAll, describe, expect, it } from 'vitest';
import { camelRows } from '../../src/db/rows.ts';
import { deriveNights, forgetDerived } from '../../src/followers/derive/derive-nights.ts';
import { type Period, windowOf } from '../../src/followers/derive/price-index/period.ts';
import { priceIndex } from '../../src/questions/price-index.ts';
import { type Ask, statementOf } from '../../src/questions/question.ts';
import { daysAfter } from '../bench/night-clock.ts';
import { renewCategoryAncestors } from '../support/category-ancestors.ts';
import { useDatabase } from '../support/database.ts';
import { insert } from '../support/insert.ts';
import { fillSmallBook } from './small-book.ts';

interface Row extends Record<string, unknown> {
  readonly start: string;
  readonly value: string;
  readonly carried: number;
  readonly departures: number;
  readonly effect: string | null;
}

const database = useDatabase();
// Three of twelve products are at half price on 1 March, then listed without stock.
const [first, nights, cleared, soldOut] = ['2026-02-22', 96, 7, 8];
beforeAll(async () => {
  const steady = () => ({ price: 200 });
  const leaving = (night: number) => ({ price: night < cleared ? 200 : 100, isOut: night >= soldOut });
  await fillSmallBook(database.db, {
    ...{ first, nights },
    departments: { Pantry: [...Array(9).fill(steady), ...Array(3).fill(leaving)] },
  });
});

const rowsBy = (period: string) =>
  camelRows<Row>(
    database.db,
    `select period_start as start, round(value, 2) as value, carried_products as carried, departures,
       departure_effect_pct as effect
     from marts.price_index
     where category_key is null and period = $1 and method = 'geks_jevons' and price_basis = 'shelf'
     order by period_start`,
    [period],
  );

it('a product departs after 60 nights without stock, and what its clearance leaves is published', async () => {
  const rows = await rowsBy('day');
  const on = (night: number) => {
    const { value, carried, departures, effect } = rows.find(({ start }) => start === daysAfter(first, night))!;
    return [value, carried, departures, effect];
  };
  const held = '84.09';
  expect(on(cleared)).toEqual([held, 0, 0, null]);
  expect(on(soldOut + 59)).toEqual([held, 3, 0, null]);
  expect(on(soldOut + 60)).toEqual([held, 0, 3, '-15.9104']);
  expect(on(soldOut + 61)).toEqual([held, 0, 0, null]);
});

it('each row names the window and the linking that it was computed with', async () => {
  const rows = await camelRows<{ period: Period; method: string; options: string }>(
    database.db,
    'select distinct period, method, options from marts.price_index',
  );
  expect(rows).toHaveLength(6);
  for (const { period, method, options } of rows) {
    const linking = method === 'geks_jevons' ? 'mean splice on published values' : 'chained';
    expect(options).toContain(`window ${windowOf[period]} ${period}s, ${linking}, `);
  }
});

it('months return towards the prices of the products that are left', async () => {
  const rows = await rowsBy('month');
  expect(rows.map(({ value, carried, departures }) => [value, carried, departures])).toEqual([
    ['100.00', 0, null],
    ['87.81', 3, 0],
    ['87.81', 3, 0],
    // May is the first month without them.
    ['91.70', 0, 3],
  ]);
});

it('beyond a quarter the index is by month, nights reach 91 back, and the chain is beside GEKS', async () => {
  const ask: Ask = (statement) => database.db.query(statement.text, statement.values);
  const indexOf = async (given: Record<string, unknown>) => {
    const read = priceIndex.parameters.parse({ region: 'uk', basis: 'shelf', ...given });
    const { parameters, sql } = await statementOf(priceIndex, read, { limit: null }, ask);
    const { rows } = await ask(sql);
    return { rows, notes: (await priceIndex.notes!(parameters as never, ask, sql)).join() };
  };
  const months = await indexOf({});
  expect([months.rows.map(({ period }) => period), months.notes]).toEqual([Array(4).fill('month'), '']);
  const last = daysAfter(first, nights - 1);
  for (const since of [undefined, first]) {
    const { rows, notes } = await indexOf({ period: 'day', since });
    expect([rows[0]!['period_start'], rows.length]).toEqual([daysAfter(last, -91), 92]);
    expect(notes).toContain('The last 91 nights');
  }
  const [recent] = (await indexOf({ since: daysAfter(last, -30) })).rows;
  const { period, value, jevons_chained: chained } = recent!;
  expect([period, Number(value).toFixed(2), Number(chained).toFixed(2)]).toEqual(['day', '84.09', '84.09']);
});

describe('products that an offers department listed as well, and that leave in the middle of a week', () => {
  const offers = useDatabase();
  // From a Monday. Three of twelve are at half price on Thursday, and gone on Friday.
  const monday = '2026-03-02';
  beforeAll(async () => {
    const leaving = (night: number) => (night > 3 ? null : { price: night < 3 ? 200 : 100 });
    const products = [...Array(9).fill(() => ({ price: 200 })), ...Array(3).fill(leaving)];
    await fillSmallBook(offers.db, { first: monday, nights: 9, departments: { Pantry: products } });
    const category = { category_key: 9, region: 'uk', category_id: 'Offers', name: 'Offers', label: 'superDepartment' };
    await insert(offers.db, 'catalog.category', [{ ...category, depth: 0, path: 'Offers', first_seen_at: monday }]);
    const listing = {
      category_key: 9,
      valid_from: `${monday}T02:00:00Z`,
      valid_to: `${daysAfter(monday, 4)}T02:00:00Z`,
    };
    for (const product_key of [10, 11, 12])
      await insert(offers.db, 'catalog.extra_listing', [{ product_key, ...listing }]);
    await insert(offers.db, 'catalog.extra_listing', [{ product_key: 1, ...listing, valid_to: null }]);
    await renewCategoryAncestors(offers.db);
    await offers.db.tx((tx) => forgetDerived(tx, 'uk', monday));
    await deriveNights(offers.db, 'uk');
  });

  it('what departures leave counts in all their categories of the period before', async () => {
    const rows = await camelRows(
      offers.db,
      `select category_path as category, departures, departure_effect_pct as effect from marts.price_index
       where period = 'week' and period_start = $1 and method = 'jevons_chained' and price_basis = 'shelf'
       order by category_path`,
      [daysAfter(monday, 7)],
    );
    // Their mean of that week is 175: 3 of 4 in offers, 3 of 12 in the department and the region.
    const [few, all] = [3 / 12, 3 / 4].map((share) => (100 * ((175 / 200) ** share - 1)).toFixed(4));
    expect(rows).toEqual([
      { category: 'Offers', departures: 3, effect: all },
      { category: 'Pantry', departures: 3, effect: few },
      { category: null, departures: 3, effect: few },
    ]);
  });
});
