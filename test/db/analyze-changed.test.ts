import { expect, it } from 'vitest';
import { analyzeChanged } from '../../src/db/analyze-changed.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

it('statistics are updated for tables that changed much, and only for those', async () => {
  const { db } = database;
  const write = (from: number, to: number) =>
    db.withClient(async (client) => {
      await client.query(
        `insert into catalog.availability_history (product_key, availability, valid_from, valid_to)
         select key, 'available', now(), now() + interval '1 day' from generate_series($1::int, $2::int) as key`,
        [from, to],
      );
      // Statistics of a connection are reported a second later unless they are flushed.
      await client.query('select pg_stat_force_next_flush()');
    });
  const analyzed = async () => {
    const [table] = await rowsOf<{ times: number; rows: number }>(
      db,
      `select analyze_count as times, (select reltuples::int from pg_class where oid = relid) as rows
       from pg_stat_user_tables where relid = 'catalog.availability_history'::regclass`,
    );
    return table;
  };
  await write(1, 1_000);
  await analyzeChanged(db);
  expect(await analyzed()).toEqual({ times: 1, rows: 1_000 });
  await write(1_001, 1_020);
  await analyzeChanged(db);
  expect(await analyzed()).toEqual({ times: 1, rows: 1_000 });
});

it('statistics show that a product has one price at a time, so lookups of changes are not repeated', async () => {
  const { db } = database;
  await db.query(
    `insert into catalog.price_history (product_key, price_minor, valid_from, valid_to)
     select key, 100 + nth % 3, date '2026-01-01' + nth, date '2026-01-02' + nth
     from generate_series(1, 200) as key, generate_series(1, 30) as nth`,
  );
  await db.query('analyze catalog.price_history');
  const [plan] = await rowsOf<{ 'QUERY PLAN': string }>(
    db,
    'explain select product_key, valid_from, price_minor from catalog.price_history group by 1, 2, 3',
  );
  expect(plan!['QUERY PLAN']).toContain('rows=6000 ');
});
