import { expect, it } from 'vitest';
import { analyzeChanged } from '../../src/db/analyze-changed.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

it('tells the planner of tables that changed much, and leaves the others alone', async () => {
  const { db } = database;
  const write = (from: number, to: number) =>
    db.withClient(async (client) => {
      await client.query(
        `insert into catalog.availability_history (product_key, availability, valid_from)
         select key, 'available', now() from generate_series($1::int, $2::int) as key`,
        [from, to],
      );
      // What a connection did is counted a second later, unless it is asked to.
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
