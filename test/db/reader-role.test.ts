import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { mayActAsReader, readerUrl, readingSettings } from '../../src/db/reader-role.ts';
import { useHousehold } from '../cli/pricebook.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
const { run } = useHousehold();

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

test('doctor names logins that may read for ever or write, and the statements that limit them', async () => {
  const admin = new pg.Client({ connectionString: inject('adminUrl') });
  await admin.connect();
  const printed = async () => {
    const { code, stdout } = await run(['doctor'], { DATABASE_URL: database.url });
    expect(code).toBe(0);
    return stdout;
  };
  try {
    await admin.query('drop role if exists "Ann of tests"');
    await admin.query('create role "Ann of tests" login in role bi_reader');
    await admin.query(`alter role "Ann of tests" set statement_timeout = '0'`);
    const remedy = /^WARNING +readers +"Ann of tests" lacks .*; as a superuser: (.*)$/m;
    const [, remedies = ''] = remedy.exec(await printed()) ?? [];
    const begins = `alter role "Ann of tests" in database ${new URL(database.url).pathname.slice(1)} set`;
    expect(remedies.split('; ')).toEqual([
      `${begins} default_transaction_read_only = 'on'`,
      `${begins} statement_timeout = '30s'`,
      `${begins} idle_in_transaction_session_timeout = '60s'`,
    ]);
    await admin.query(remedies);
    expect(await printed()).not.toMatch(remedy);
  } finally {
    await admin.query('drop role if exists "Ann of tests"');
    await admin.end();
  }
});
