import { beforeAll, expect, it } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { deriveNights, forgetDerived } from '../../src/derive/derive-nights.ts';
import { productWords } from '../../src/derive/product-words.ts';
import { regionCodes } from '../../src/model/index.ts';
import { at, fillFewNights, keys } from '../db/few-nights.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
beforeAll(async () => {
  await fillFewNights(database.db);
  await derive();
});

async function derive(): Promise<void> {
  for (const region of regionCodes) await deriveNights(database.db, region, { all: [productWords] });
}

async function found(region: string, words: string): Promise<number[]> {
  const rows = await rowsOf<{ product_key: number }>(
    database.db,
    'select product_key from marts.find_products($1, $2) order by product_key',
    [region, words],
  );
  return rows.map(({ product_key }) => product_key);
}

it('finds products by beginnings of all words, those that are gone too, of the region that is asked for', async () => {
  expect(await found('uk', 'mil who')).toEqual([keys.milk]);
  expect(await found('uk', 'HILLSIDE 2l')).toEqual([keys.milk]);
  expect(await found('uk', 'squash')).toEqual([keys.gone]);
  expect(await found('uk', 'irish milk')).toEqual([]);
  expect(await found('ie', 'milk')).toEqual([keys.irishMilk]);
  expect(await found('uk', '102')).toEqual([keys.gone]);
  for (const words of ['', ' ', '!', 'ilk', 'milk bread']) expect(await found('uk', words)).toEqual([]);
});

it('finds products however accents and apostrophes are written', async () => {
  const title = 'O’Dowd’s Crème Brûlée';
  const rename = async (to: string, since: string) => {
    await database.db.query('update catalog.product set title = $2, valid_from = $3 where product_key = $1', [
      keys.bread,
      to,
      since,
    ]);
    await database.db.tx((tx) => forgetDerived(tx, 'uk', '2026-03-01', [productWords]));
    await derive();
  };
  await rename(title, at.n6);
  for (const words of ["o'dowd", 'O’Dowd', 'O‘Dowd', 'creme', 'crème', 'CRÈME brulee', 'cre\u0300me'])
    expect([words, await found('uk', words)]).toEqual([words, [keys.bread]]);
  await rename('Bread', at.n1);
});

it('a product with another title is found by the new one alone, and after nights are forgotten and derived again the same', async () => {
  await database.db.query(`update catalog.product set title = 'Oat Drink 1L', valid_from = $2 where product_key = $1`, [
    keys.milk,
    at.n6,
  ]);
  await database.db.tx((tx) => forgetDerived(tx, 'uk', '2026-03-06', [productWords]));
  expect(await found('uk', 'milk')).toEqual([keys.milk]);
  await derive();
  expect([await found('uk', 'milk'), await found('uk', 'oat')]).toEqual([[], [keys.milk]]);
  await database.db.tx((tx) => forgetDerived(tx, 'uk', '2026-03-01', [productWords]));
  expect(await found('uk', 'bread')).toEqual([]);
  await derive();
  expect([await found('uk', 'bread'), await found('uk', 'oat')]).toEqual([[keys.bread], [keys.milk]]);
});
