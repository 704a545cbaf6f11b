import { expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

test('two regions whose first nights are derived at the same moment make the indexes of products once', async () => {
  let second: Promise<unknown> = Promise.resolve();
  await database.db.tx(async (first) => {
    await first.query('select ops.index_products()');
    second = database.db.query('select ops.index_products()');
    second.catch(() => undefined);
    // It waits for the first one, which has not committed.
    await expect.poll(waiting).toBe(1);
  });
  await second;
  const indexes = await rowsOf(
    database.db,
    `select relname as name from pg_class where relname like 'product\\_by\\_%' and relkind = 'i' order by 1`,
  );
  expect(indexes.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['product_by_gtin', 'product_by_tpnb', 'product_by_words']),
  );
});

async function waiting(): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    database.db,
    `select count(*)::int as count from pg_stat_activity
     where wait_event_type = 'Lock' and query like '%index_products%' and datname = current_database()`,
  );
  return row!.count;
}
