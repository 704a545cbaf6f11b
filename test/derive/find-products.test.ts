import { beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { titled } from '../../src/questions/parameters.ts';
import { at, fillFewNights, keys } from '../db/few-nights.ts';
import { renewCategoryAncestors } from '../support/category-ancestors.ts';
import { useDatabase } from '../support/database.ts';
import { insert } from '../support/insert.ts';

const database = useDatabase();
beforeAll(() => fillFewNights(database.db));

async function found(region: string, words: string): Promise<number[]> {
  const rows = await rowsOf<{ product_key: number }>(
    database.db,
    'select product_key from marts.find_products($1, $2) order by product_key',
    [region, words],
  );
  return rows.map(({ product_key }) => product_key);
}

const rename = (to: string) =>
  database.db.query('update catalog.product set title = $2 where product_key = $1', [keys.bread, to]);

async function relevanceOf(words: string): Promise<number | undefined> {
  const [row] = await rowsOf<{ relevance: number }>(
    database.db,
    'select relevance from marts.find_products($1, $2) where product_key = $3',
    ['uk', words, keys.bread],
  );
  return row?.relevance;
}

// Before and after the first night is derived, which makes the indexes.
describe.each(['before', 'after'])('%s the products are indexed', (moment) => {
  beforeAll(async () => {
    if (moment === 'after') await deriveNights(database.db, 'uk');
  });

  it('products are found by beginnings of all words, including gone ones, in the requested region', async () => {
    expect(await found('uk', 'mil who')).toEqual([keys.milk]);
    for (const words of ['HILLSIDE 2l', 'milk 2 L']) expect(await found('uk', words)).toEqual([keys.milk]);
    expect(await found('uk', 'squash')).toEqual([keys.gone]);
    expect(await found('uk', 'irish milk')).toEqual([]);
    expect(await found('ie', 'milk')).toEqual([keys.irishMilk]);
    for (const words of ['', ' ', '!', 'ilk', 'milk bread']) expect(await found('uk', words)).toEqual([]);
  });

  it('a product is found by id, base product number and barcode with or without leading zeros', async () => {
    await database.db.query(`update catalog.product set tpnb = '050', gtin = '05000000000012' where product_key = $1`, [
      keys.gone,
    ]);
    for (const code of ['102', '050', '05000000000012', '5000000000012', ' 102 '])
      expect([code, await found('uk', code)]).toEqual([code, [keys.gone]]);
    for (const code of ['10', '5000000000', '102 102']) expect([code, await found('uk', code)]).toEqual([code, []]);
  });

  it.each([
    ['O’Dowd’s Crème Brûlée', ["o'dowd", 'O’Dowd', 'O‘Dowd', 'creme', 'crème', 'CRÈME brulee', 'cre\u0300me'], 'bread'],
    ['Fresh Tomato', ['tomatoes'], 'tom fresher'],
    ['Strawberries Punnet', ['strawberry'], 'straw man'],
    ['Bloomer Loaves', ['loaf'], 'loafer'],
    ['Bloomer Loaf', ['loaves'], 'loafer'],
    ['M&S Salt & Vinegar Crisps', ['m&s', 'M&S crisps', 'salt and vinegar', 'salt & vinegar', 'vinegar'], 'ms'],
    ['Mild Sausages', ['mild'], 'M&S'],
    ['Natural Yogurt', ['yoghurt', 'yoghurts'], 'yoga'],
    ['Hot Chilli Sauce', ['chili'], 'chile'],
  ])('%s is found whatever its accents, number or spelling', async (title, asked, other) => {
    await rename(title);
    for (const words of asked) expect([words, await found('uk', words)]).toEqual([words, [keys.bread]]);
    expect([other, await found('uk', other)]).toEqual([other, []]);
    await rename('Bread');
  });

  it('products about a word rank above those that only contain it, and whole words above beginnings', async () => {
    const titles = ['Whole Milk 2L', 'Whole Milk', 'Milk Chocolate 100g', 'Milkshake 330ml'];
    const ranks = [];
    for (const title of titles) {
      await rename(title);
      ranks.push(await relevanceOf('milk'));
    }
    expect(ranks).toEqual([18, 18, 12, 6]);
    await rename('Bread');
  });
});

it('products rank by the end of their category’s name, as they do by the end of their title', async () => {
  const names = [' Milk, Butter & Eggs ', 'Baby Milk', 'Breakfast Cereals', 'Cereal Bars'];
  const shelves = names.map((name, n) => ({
    ...{ category_key: n + 1, region: 'uk', category_id: `b;${n + 1}`, name, label: 'aisle', depth: 0, path: name },
    first_seen_at: at.n1,
  }));
  await insert(database.db, 'catalog.category', shelves);
  await renewCategoryAncestors(database.db);
  for (const [name, title, words, expected] of [
    [' Milk, Butter & Eggs ', 'Whole Milk 1L', 'milk', 22],
    ['Baby Milk', 'First Infant Milk 700g', 'milk', 20],
    ['Cereal Bars', 'Mini Milk 4s', 'milk', 18],
    ['Breakfast Cereals', 'Rolled Oats 1kg', 'cereal', 7],
    ['Cereal Bars', 'Digestives 400g', 'cereal', -1],
  ] as const) {
    await rename(title);
    const listing = { product_key: keys.bread, category_key: names.indexOf(name) + 1, valid_from: at.n1 };
    await insert(database.db, 'catalog.extra_listing', [listing]);
    expect([name, title, await relevanceOf(words)]).toEqual([name, title, expected]);
    const own = titled('uk', words);
    const { rows } = await database.db.query<{ product_key: number }>(own.text, own.values);
    expect(rows.some((row) => row.product_key === keys.bread)).toBe(expected % 2 === 0);
    await database.db.query('delete from catalog.extra_listing where product_key = $1', [keys.bread]);
  }
  await rename('Bread');
});

it('a category counts beside titles: loaves are found for bread, before breaded fish', async () => {
  await insert(database.db, 'catalog.category', [
    {
      ...{ category_key: 9, region: 'uk', category_id: 'b;9', name: 'Bread & Rolls', label: 'aisle', depth: 0 },
      ...{ path: 'Bread & Rolls', first_seen_at: at.n1 },
    },
  ]);
  await renewCategoryAncestors(database.db);
  await insert(database.db, 'catalog.extra_listing', [{ product_key: keys.milk, category_key: 9, valid_from: at.n1 }]);
  const [{ title }] = (await rowsOf<{ title: string }>(
    database.db,
    `update catalog.product set title = 'Toastie 800g' where product_key = $1
     returning (select title from catalog.product where product_key = $1) as title`,
    [keys.milk],
  )) as [{ title: string }];
  const ranked = (words = 'bread') =>
    rowsOf<{ product_key: number }>(
      database.db,
      `select product_key from marts.find_products('uk', $1) order by relevance desc`,
      [words],
    ).then((rows) => rows.map(({ product_key }) => product_key));
  await rename('Breaded Haddock');
  expect(await ranked()).toEqual([keys.milk, keys.bread]);
  await rename('White Bread');
  expect(await ranked()).toEqual([keys.bread]);
  // A category of that name alone has the thing itself: cheese is not a flavour of crisps.
  await database.db.query(`update catalog.category set name = 'Cheese' where category_key = 9`);
  await rename('Crinkle Cut Cheese & Onion 150g');
  expect(await ranked('cheese')).toEqual([keys.milk, keys.bread]);
  await rename('Bread');
  await database.db.query('update catalog.product set title = $2 where product_key = $1', [keys.milk, title]);
  await database.db.query('delete from catalog.extra_listing where category_key = 9');
});
