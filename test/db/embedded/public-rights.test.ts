import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Database } from '../../../src/db/client.ts';
import { rowsOf } from '../../../src/db/rows.ts';
import { createHousehold, type Household } from './household.ts';

const rightsOfPublic = `
  select privilege_type as right from pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba)))
  where datname = current_database() and grantee = 0
  union all
  select privilege_type || ' on public' from pg_namespace, aclexplode(coalesce(nspacl, acldefault('n', nspowner)))
  where nspname = 'public' and grantee = 0
  union all
  select 'large objects' where has_function_privilege('public', 'lo_create(oid)', 'execute')`;

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

  it('users of the embedded database can connect with a password and nothing more', async () => {
    const { url } = await house.open();
    expect(await rowsOf(connect(url), rightsOfPublic)).toEqual([{ right: 'CONNECT' }]);
    await Promise.all(open.map((db) => db.end()));
  });
});
