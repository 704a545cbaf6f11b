import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { useHousehold } from './pricebook.ts';

const database = useDatabase();
const household = useHousehold();
const doctor = () => household.run(['doctor'], { DATABASE_URL: database.url });

// A member of bi_reader would read in every database of this server.
const login = `analyst-${randomUUID().slice(0, 8)}`;
beforeAll(async () => {
  await database.db.query(`create role "${login}" login`);
  await database.db.query(`grant usage on schema marts to "${login}"`);
  await database.db.query(`alter role "${login}" set work_mem = '1GB'`);
});
afterAll(async () => {
  await database.db.query(`drop owned by "${login}"`);
  await database.db.query(`drop role "${login}"`);
});

test('doctor names a login that reads marts without what bi_reader is given for it, with the statements that help', async () => {
  const { code, stdout } = await doctor();
  expect(code).toBe(0);
  const [, says] = new RegExp(`^WARNING +readers +"${login}" reads marts without (.*)$`, 'm').exec(stdout)!;
  expect(says).toContain(`alter role "${login}" set join_collapse_limit = '12';`);
  // What it has of its own is left as it is.
  expect(says).not.toContain('work_mem');
  await database.db.query(/alter role .*/.exec(says!)![0]);
  expect((await doctor()).stdout).not.toContain('readers');
});
