import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Database } from '../../../src/db/client.ts';
import { rowsOf } from '../../../src/db/rows.ts';
import { databaseUrl } from '../../support/database-url.ts';
import { createHousehold, type Household } from './household.ts';

const rightsOfPublic = `
  select privilege_type as right from pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba)))
  where datname = current_database() and grantee = 0
  union all
  select privilege_type || ' on public' from pg_namespace, aclexplode(coalesce(nspacl, acldefault('n', nspowner)))
  where nspname = 'public' and grantee = 0
  union all
  select 'large objects' where has_function_privilege('public', 'lo_create(oid)', 'execute')
  union all
  select 'advisory locks' where has_function_privilege('public', 'pg_advisory_lock(bigint)', 'execute')`;

describe('the embedded database', () => {
  let house: Household;
  const open: Database[] = [];
  const connect = (url: string): Database => {
    const db = createDatabase({ url, applicationName: 'rights', max: 1 });
    open.push(db);
    return db;
  };

  beforeAll(() => {
    house = createHousehold();
  });
  afterAll(() => house.remove());

  const rightsIn = async (url: string) => {
    const rights: Record<string, unknown> = {};
    for (const name of ['pricebook', 'postgres', 'template1', 'made_later']) {
      const db = connect(databaseUrl(url, name));
      rights[name] = (await rowsOf<{ right: string }>(db, rightsOfPublic)).map(({ right }) => right);
      await db.end();
    }
    return rights;
  };

  it('users of the embedded database can connect with a password and nothing more', async () => {
    const { url } = await house.open();
    await connect(url).query('create database made_later');
    await Promise.all(open.map((db) => db.end()));
    expect(await rightsIn(url)).toEqual({
      pricebook: ['CONNECT'],
      postgres: ['CONNECT'],
      template1: ['CONNECT'],
      // PostgreSQL gives it to each new database.
      made_later: ['TEMPORARY', 'CONNECT'],
    });
  });
});
