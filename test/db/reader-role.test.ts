import pg from 'pg';
import { expect, test } from 'vitest';
import { mayActAsReader, readerUrl, readingSettings } from '../../src/db/reader-role.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

test("a statement over sixteen marts is planned within the reader's time limit", async () => {
  const named = Array.from({ length: 16 }, (_, i) => `m${i}`);
  await database.db.tx(async (tx) => {
    for (const [name, value] of Object.entries({ ...readingSettings, statement_timeout: '30s' })) {
      await tx.query(`set local ${name} = '${value}'`);
    }
    const { rows } = await tx.query(
      `explain select count(*) from ${named.map((name) => `marts.dim_category ${name}`).join(', ')}
       where ${named.map((name) => `${name}.category_key = m0.category_key`).join(' and ')}`,
    );
    expect(rows.length).toBeGreaterThan(named.length);
  });
});

test('the URL for people reads marts and changes nothing, also after the role is reset', async () => {
  const client = new pg.Client({ connectionString: readerUrl(database.url, await mayActAsReader(database.db)) });
  await client.connect();
  try {
    await client.query('reset role');
    const { rows } = await client.query(
      'select current_user as name, count(*)::int as regions from marts.dim_region group by 1',
    );
    expect(rows).toEqual([{ name: 'bi_reader', regions: 2 }]);
    for (const statement of ['delete from catalog.product', 'select * from ops.run', 'create table mine (i int)'])
      await expect(client.query(statement)).rejects.toThrow(/permission denied|read-only/);
  } finally {
    await client.end();
  }
});
