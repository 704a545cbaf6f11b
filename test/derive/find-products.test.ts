import { beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { at, fillFewNights, keys } from '../db/few-nights.ts';
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

// Before and after the first night is derived, which makes the indexes.
describe.each(['before', 'after'])('%s the products are indexed', (moment) => {
  beforeAll(async () => {
    if (moment === 'after') await deriveNights(database.db, 'uk');
  });

  it('products are found by beginnings of all words, including gone ones, in the requested region', async () => {
    expect(await found('uk', 'mil who')).toEqual([keys.milk]);
    expect(await found('uk', 'HILLSIDE 2l')).toEqual([keys.milk]);
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

  it('products are found independently of accents and apostrophes', async () => {
    await rename('O’Dowd’s Crème Brûlée');
    for (const words of ["o'dowd", 'O’Dowd', 'O‘Dowd', 'creme', 'crème', 'CRÈME brulee', 'cre\u0300me'])
      expect([words, await found('uk', words)]).toEqual([words, [keys.bread]]);
    expect(await found('uk', 'bread')).toEqual([]);
    await rename('Bread');
    expect(await found('uk', 'bread')).toEqual([keys.bread]);
  });

  it('a singular finds the plural, and a plural finds the singular', async () => {
    for (const [title, words] of [
      ['Fresh Tomato', 'tomatoes'],
      ['Fresh Tomatoes', 'tomato'],
      ['Strawberry Punnet', 'strawberries'],
      ['Strawberries Punnet', 'strawberry'],
      ['Bloomer Loaf', 'loaves'],
      ['Bloomer Loaves', 'loaf'],
      ['Large Egg', 'eggs'],
    ] as const) {
      await rename(title);
      expect([words, await found('uk', words)]).toEqual([words, [keys.bread]]);
    }
    await rename('Bread');
  });

  it('M&S is one word, and any other ampersand is the word and', async () => {
    await rename('M&S Salt & Vinegar Crisps 150g');
    for (const words of ['m&s', 'M&S crisps', 'salt and vinegar', 'salt & vinegar', 'vinegar'])
      expect([words, await found('uk', words)]).toEqual([words, [keys.bread]]);
    await rename('Mild Sausages');
    expect(await found('uk', 'M&S')).toEqual([]);
    await rename('Bread');
  });

  it('no word is taken for markup, which would match nothing', async () => {
    expect(await found('uk', '<milk>')).toEqual([keys.milk]);
    expect(await found('uk', '<b>milk</b>')).toEqual([]);
  });

  it('products about a word rank above those that only contain it, and whole words above beginnings', async () => {
    const relevance = async (title: string) => {
      await rename(title);
      const [row] = await rowsOf<{ relevance: number }>(
        database.db,
        `select relevance from marts.find_products('uk', 'milk') where product_key = $1`,
        [keys.bread],
      );
      return row!.relevance;
    };
    const titles = ['Whole Milk 2L', 'Whole Milk', 'Milk Chocolate 100g', 'Milkshake 330ml'];
    const ranks = [];
    for (const title of titles) ranks.push(await relevance(title));
    expect(ranks).toEqual([9, 9, 6, 3]);
    await rename('Bread');
  });
});

it('products rank by the end of their category’s name, as they do by the end of their title', async () => {
  const shelf = (key: number, name: string) => ({
    ...{ category_key: key, region: 'uk', category_id: `b;${key}`, name, label: 'aisle', depth: 0, path: name },
    first_seen_at: at.n1,
  });
  const shelves = [
    shelf(1, ' Milk, Butter & Eggs '),
    shelf(2, 'Baby Milk'),
    shelf(3, 'Breakfast Cereals'),
    shelf(4, 'Cereal Bars'),
    shelf(5, 'Biscuits & Cereal Bars'),
  ];
  await insert(database.db, 'catalog.category', shelves);
  await insert(
    database.db,
    'catalog.category_ancestor',
    shelves.map(({ category_key: key }) => ({ category_key: key, ancestor_key: key, is_itself: true })),
  );
  const relevance = async (name: string, title: string, words: string) => {
    await rename(title);
    const key = shelves.find((one) => one.name === name)!.category_key;
    await insert(database.db, 'catalog.product_category', [
      { product_key: keys.bread, category_key: key, valid_from: at.n1, source: 'listing' },
    ]);
    const [row] = await rowsOf<{ relevance: number }>(
      database.db,
      'select relevance from marts.find_products($1, $2) where product_key = $3',
      ['uk', words, keys.bread],
    );
    await database.db.query('delete from catalog.product_category where product_key = $1', [keys.bread]);
    return row?.relevance;
  };
  expect(await relevance(' Milk, Butter & Eggs ', 'Whole Milk 1L', 'milk')).toBe(11);
  expect(await relevance('Baby Milk', 'First Infant Milk 700g', 'milk')).toBe(10);
  expect(await relevance('Cereal Bars', 'Mini Milk 4s', 'milk')).toBe(9);
  expect(await relevance('Breakfast Cereals', 'Rolled Oats 1kg', 'cereal')).toBe(4);
  for (const name of ['Cereal Bars', 'Biscuits & Cereal Bars'])
    expect(await relevance(name, 'Digestives 400g', 'cereal')).toBe(0);
  await rename('Bread');
});

it('a category counts beside titles: loaves are found for bread, before breaded fish', async () => {
  await insert(database.db, 'catalog.category', [
    {
      ...{ category_key: 9, region: 'uk', category_id: 'b;9', name: 'Bread & Rolls', label: 'aisle', depth: 0 },
      ...{ path: 'Bread & Rolls', first_seen_at: at.n1 },
    },
  ]);
  await insert(database.db, 'catalog.category_ancestor', [{ category_key: 9, ancestor_key: 9, is_itself: true }]);
  await insert(database.db, 'catalog.product_category', [
    { product_key: keys.milk, category_key: 9, valid_from: at.n1, source: 'listing' },
  ]);
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
  await database.db.query('delete from catalog.product_category where category_key = 9');
});

it('joined, split and twin spellings of a word are one word', async () => {
  for (const [title, ...asked] of [
    ['Cornflakes 500g', 'corn flakes', 'corn flake', 'cornflakes'],
    ['Natural Yogurt', 'yoghurt', 'yoghurts'],
    ['Hot Chilli Sauce', 'chili'],
  ] as const) {
    await rename(title);
    for (const words of asked) expect([words, await found('uk', words)]).toEqual([words, [keys.bread]]);
  }
  await database.db.query(`update catalog.product set title = 'Corn Flakes', valid_from = $2 where product_key = $1`, [
    keys.bread,
    at.n6,
  ]);
  await database.db.query('select ops.index_products()');
  expect(await found('uk', 'cornflakes')).toEqual([keys.bread]);
  await rename('Bread');
});

it('words like one that no title has are known, with a slip of two letters first', async () => {
  await database.db.query(
    `update catalog.product set title = 'Chocolate Milk', valid_from = $2 where product_key = $1`,
    [keys.bread, at.n6],
  );
  await database.db.query('select ops.index_products()');
  const nearest = async (word: string) =>
    rowsOf<{ nearest: string }>(database.db, 'select nearest from marts.nearest_words($1) where likeness >= 0.5', [
      word,
    ]).then((rows) => rows.map((row) => row.nearest));
  expect(await nearest('choclate')).toEqual(['chocolate']);
  expect(await nearest('Mlik')).toEqual(['milk']);
  for (const known of ['milk', 'choc', 'xyzzy', '']) expect([known, await nearest(known)]).toEqual([known, []]);
  await rename('Bread');
});

it('words are read from titles that are newer than an instant', async () => {
  const wordsLike = (word: string) =>
    rowsOf<{ word: string }>(database.db, 'select word from derived.title_word where word like $1', [word]);
  await database.db.query(`update catalog.product set title = 'Pomegranate', valid_from = $2 where product_key = $1`, [
    keys.bread,
    at.n6,
  ]);
  await database.db.query('select ops.index_products($1)', [at.n6]);
  expect(await wordsLike('pomegran%')).toEqual([]);
  await database.db.query(`select ops.index_products($1::timestamptz - interval '1 second')`, [at.n6]);
  expect(await wordsLike('pomegran%')).toEqual([{ word: 'pomegranate' }]);
  await rename('Bread');
});

it('an amount chooses among the products found, and is ignored if none has it', async () => {
  await rename('Chocolate Milk 1.5 Litre');
  expect(await found('uk', 'milk')).toEqual([keys.milk, keys.bread].toSorted((a, b) => a - b));
  for (const words of ['milk 1.5l', 'milk 1.5 L', 'milk 1,5 litres'])
    expect([words, await found('uk', words)]).toEqual([words, [keys.bread]]);
  for (const words of ['milk 2l', 'milk 2 L']) expect([words, await found('uk', words)]).toEqual([words, [keys.milk]]);
  for (const words of ['milk 5l', 'milk 500g']) expect([words, await found('uk', words)]).toHaveProperty('1.length', 2);
  await rename('Bread');
});

it('only a word that no title contains is corrected', async () => {
  await database.db.query(
    `update catalog.product set title = 'Chocolate Biscuits', valid_from = $2 where product_key = $1`,
    [keys.bread, at.n6],
  );
  await database.db.query('select ops.index_products()');
  for (const words of ['choclate', 'biscits', 'chocolate biscits'])
    expect([words, await found('uk', words)]).toEqual([words, [keys.bread]]);
  for (const words of ['chips', 'choir']) expect([words, await found('uk', words)]).toEqual([words, []]);
  await database.db.query(`update catalog.product set title = 'Bread' where product_key = $1`, [keys.bread]);
});

it('the search uses an index', async () => {
  await database.db.query(
    `insert into catalog.product (product_key, region, product_id, title, tpnb, gtin, is_for_sale, first_seen_at,
       valid_from, entry_hash)
     overriding system value
     select 1000 + n, 'uk', 'many' || n, 'Thing ' || n, 't' || n, lpad('77' || n, 14, '0'), true, $1, $1,
       md5(n::text)::uuid
     from generate_series(1, 20000) as n`,
    [at.n6],
  );
  await database.db.query('analyze catalog.product');
  const read = async () => {
    await database.db.query('select pg_stat_force_next_flush()');
    const [row] = await rowsOf<{ scans: number }>(
      database.db,
      `select seq_scan::int as scans from pg_stat_user_tables where relid = 'catalog.product'::regclass`,
    );
    return row!.scans;
  };
  const added: number[] = [];
  for (let round = 0; round < 3; round++) {
    const before = await read();
    for (const words of ['thing 19999', 'many777', 't777', '77777']) expect(await found('uk', words)).toHaveLength(1);
    added.push((await read()) - before);
  }
  // Another connection may report earlier scans late, but not in every round.
  expect(Math.min(...added)).toBe(0);
});
