import { beforeEach, expect, it } from 'vitest';
import { renewEmpty } from '../../src/db/renew-empty.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
const table = 'catalog.shown_price';

beforeEach(async () => {
  await database.db.query(`truncate ${table}`);
});

const add = `
  insert into ${table} (product_key, valid_from, price_minor)
  select key, now(), 100 from generate_series(1, 2000) as key`;

const count = async () => {
  const [row] = await rowsOf<{ rows: number }>(database.db, `select count(*)::int as rows from ${table}`);
  return row!.rows;
};

it('a table with rows keeps them', async () => {
  await database.db.query(add);
  await database.db.tx((tx) => renewEmpty(tx, [table, 'catalog.offer_history']));
  expect(await count()).toBe(2_000);
});

it('a table that another transaction reads is left as it is, without waiting', async () => {
  await database.db.tx(async (reader) => {
    await reader.query(`select from ${table}`);
    await database.db.tx((tx) => renewEmpty(tx, [table]), { lockTimeoutMs: 1_000, attempts: 1 });
  });
  await database.db.query(add);
  expect(await count()).toBe(2_000);
});
