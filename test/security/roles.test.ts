import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createDatabase, type Database } from '../../src/db/client.ts';
import { migrate } from '../../src/db/migrate.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { readText } from '../house/source-files.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { databaseUrl } from '../support/database-url.ts';
import { expectNoLeak, leaksInDatabase } from '../support/leaks.ts';
import { isRedisInstalled, startRedis } from '../support/redis-server.ts';
import { disagreements } from '../support/truth.ts';

const data = 'rehearsed';
// The statements of docs/operate/servers.md, with a password, for a database and logins of other names.
const page = readText('docs/operate/servers.md');
const blocks = [...page.matchAll(/(?:^ {4}.+\n)+/gm)].map(([block]) =>
  block
    .trim()
    .split(/\s*\n {4}(?! )/)
    .map((line) =>
      line
        .replaceAll('…', 'pass')
        .replace(/\bpricebook(?=_)|(?<=database )pricebook/g, 'rehearsed')
        .replace(/\bann\b/g, 'rehearsed_ann'),
    ),
);
const [asSuperuser = [], inTheDatabase = [], asOwner = [], analyst = [], revocation = [], redisUser = []] = blocks;
const roles = ['owner', 'ingest', 'reader'].map((role) => `rehearsed_${role}`);

const dateBefore = '2026-03-01';
const date = '2026-03-02';

describe('the roles of docs/operate/servers.md', () => {
  const adminUrl = inject('adminUrl');
  const open: Database[] = [];
  let simulator: Simulator;

  const urlOf = (role: string, database: string) => {
    const url = new URL(databaseUrl(adminUrl, database));
    url.username = role;
    url.password = 'pass';
    return url.href;
  };
  const as = (role: string, database = data): Database => {
    const db = createDatabase({ url: urlOf(role, database), applicationName: role, max: 2 });
    open.push(db);
    return db;
  };
  const refusal = async (db: Database, statement: string) =>
    db.query(statement).then(
      () => 'allowed',
      (error: { code?: string; cause?: { code?: string } }) => error.code ?? error.cause?.code ?? String(error),
    );

  beforeAll(async () => {
    await removeAll(adminUrl);
    // Other tests on this server created bi_reader.
    await asAdmin(
      adminUrl,
      asSuperuser.filter((line) => !line.startsWith('create role bi_reader')),
    );
    await asAdmin(databaseUrl(adminUrl, data), inTheDatabase);
    await asAdmin(adminUrl, [
      `create role rehearsed_reader login password 'pass' connection limit 4 in role bi_reader`,
    ]);
    const owner = as('rehearsed_owner');
    await migrate(owner);
    for (const statement of asOwner) await owner.query(statement);

    simulator = await createSimulator({ items: 80, superDepartments: 4, date: dateBefore });
    await crawl({ upstream: simulator.url, now: nightOf(dateBefore) });
    simulator.change({ date });
    await crawl({ upstream: simulator.url, now: nightOf(date) });
  });
  afterAll(async () => {
    await simulator?.close();
    await Promise.all(open.map((db) => db.end()));
    const leaks = await leaksInDatabase(databaseUrl(adminUrl, data));
    await removeAll(adminUrl);
    expectNoLeak(leaks);
  });

  const crawl = (night: { upstream: string; now: Date; queue?: Record<string, string> }) =>
    crawlNight({
      installation: {
        databaseUrl: urlOf('rehearsed_ingest', data),
        queue: night.queue ?? {},
      },
      upstream: night.upstream,
      now: night.now,
      again: true,
      maxDetails: 5,
    });

  test('the roles are exactly sufficient to crawl nights', async () => {
    for (const region of ['uk', 'ie'] as const) {
      const runs = await rowsOf(as('rehearsed_ingest'), 'select verdict from ops.run where region = $1', [region]);
      expect(runs).toEqual([{ verdict: 'complete' }, { verdict: 'complete' }]);
    }
    expect(await disagreements(as('rehearsed_owner'), simulator, 'uk', date)).toEqual([]);
  });

  test('the login of an analyst is created and revoked as the page shows', async () => {
    await asAdmin(adminUrl, analyst);
    const session = as('rehearsed_ann');
    expect(await refusal(session, 'select from marts.snapshot')).toBe('allowed');
    await asAdmin(adminUrl, revocation);
    expect(await refusal(session, 'select from marts.snapshot')).not.toBe('allowed');
    const logins = `select from pg_roles where rolname = 'rehearsed_ann'`;
    expect(await rowsOf(as('rehearsed_owner'), logins)).toHaveLength(0);
  });

  test('the crawling role cannot change the schema', async () => {
    const ingest = as('rehearsed_ingest');
    for (const statement of [
      'create table catalog.mine (a int)',
      'create table public.mine (a int)',
      'drop table catalog.product',
      'alter table catalog.product add column mine int',
      'truncate catalog.price_history',
      'create or replace view marts.snapshot as select 1',
      'create role mine',
      'create or replace function ops.clock_ms() returns float8 language sql as $$ select 0.0::float8 $$',
    ]) {
      expect(await refusal(ingest, statement), statement).toBe('42501');
    }
    const owned = await rowsOf(ingest, `select nspname from pg_namespace where nspowner = current_user::regrole`);
    expect(owned).toEqual([{ nspname: 'bullmq' }]);
  });

  test("the analyst's role can read marts, call as_of, and do nothing else", async () => {
    const reader = as('rehearsed_reader');
    expect(await rowsOf(reader, `select count(*) > 0 as is_there from marts.as_of('uk', '${date}')`)).toEqual([
      { is_there: true },
    ]);
    expect(await rowsOf(reader, rightsOf)).toEqual([]);
    expect(await refusal(reader, 'select count(*) from bullmq.job')).toBe('42501');
    // A person may change settings of their own session, which is no security boundary.
    await reader.tx(async (tx) => {
      await tx.query('set transaction read write');
      for (const statement of [
        'create temporary table mine (a int)',
        'create table public.mine (a int)',
        'create function pg_temp.mine() returns int language sql as $$ select 1 $$',
        'select lo_create(0)',
        'select pg_advisory_lock(1)',
        'select pg_try_advisory_xact_lock_shared(1, 1)',
        `copy marts.dim_region to program 'true'`,
        `select pg_read_file('/etc/hostname')`,
      ]) {
        await tx.query('savepoint attempt');
        await expect(tx.query(statement), statement).rejects.toMatchObject({ code: '42501' });
        await tx.query('rollback to attempt');
      }
    });
  });

  test.runIf(isRedisInstalled)('the roles and the Redis user are sufficient for a night on Redis', async () => {
    const redis = await startRedis();
    const admin = await redisCommand(redis.url, redisUser[0]!);
    expect(admin).toBe('OK');
    const url = redis.url.replace('//', '//pricebook:pass@');
    const runs = await crawl({ upstream: simulator.url, now: nightOf(date), queue: { REDIS_URL: url } });
    expect(runs.map(({ verdict }) => verdict)).toEqual(['complete', 'complete']);
    for (const command of ['flushall', 'config set dir /', 'keys *', 'shutdown', 'get other:key']) {
      await expect(redisCommand(url, command), command).rejects.toThrow(/NOPERM/);
    }
    await redis.stop();
  });
});

/** Rights of the current role beyond reading `marts`. */
const rightsOf = `
  with own as (
    select n.oid, n.nspname as schema
    from pg_namespace n
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
  )
  select right_name || ' on schema ' || schema as right from own, unnest(array['usage', 'create']) right_name
  where has_schema_privilege(own.oid, right_name) and (schema, right_name) <> ('marts', 'usage')
  union all
  select right_name || ' on ' || c.oid::regclass
  from own join pg_class c on c.relnamespace = own.oid and c.relkind in ('r', 'v', 'm', 'p', 'f'),
    unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) right_name
  where has_table_privilege(c.oid, right_name) and (schema, right_name) <> ('marts', 'select')
  union all
  select right_name || ' of columns of ' || c.oid::regclass
  from own join pg_class c on c.relnamespace = own.oid and c.relkind in ('r', 'v', 'm', 'p', 'f'),
    unnest(array['select', 'insert', 'update', 'references']) right_name
  where has_any_column_privilege(c.oid, right_name) and (schema, right_name) <> ('marts', 'select')
  union all
  select 'sequence ' || c.oid::regclass from own join pg_class c on c.relnamespace = own.oid and c.relkind = 'S'
  where case when c.relkind = 'S' then has_sequence_privilege(c.oid, 'usage, select, update') end
  union all
  select 'execute ' || p.oid::regprocedure from own join pg_proc p on p.pronamespace = own.oid
  where has_function_privilege(p.oid, 'execute')
    -- Views of marts say reasons and findings in words; their functions refuse unknown regions.
    and p.proname not in ('in_words', 'reason_in_words', 'finding_in_words', 'known_region', 'search_text')
    and p.oid not in ('marts.as_of(text, date)'::regprocedure, 'marts.brand_key(text)'::regprocedure,
      'marts.find_products(text, text)'::regprocedure,
      'marts.region_parity(date, date, integer[])'::regprocedure,
      'marts.moved_prices(text, date, date, text, integer[], numeric, boolean)'::regprocedure)
  union all
  select right_name || ' in the database' from unnest(array['create', 'temporary']) right_name
  where has_database_privilege(current_database(), right_name)
  union all
  select 'member of ' || rolname from pg_roles
  where pg_has_role(oid, 'member') and rolname not in ('bi_reader', current_user)
  union all
  select 'attributes of ' || rolname from pg_roles
  where pg_has_role(oid, 'member') and (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls)`;

async function asAdmin(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Includes leftovers of a killed test. */
async function removeAll(adminUrl: string): Promise<void> {
  await asAdmin(adminUrl, [
    `drop database if exists ${data} with (force)`,
    ...roles.map((role) => `drop role if exists ${role}`),
  ]);
}

async function redisCommand(url: string, command: string): Promise<unknown> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  try {
    await client.connect();
    const [name, ...rest] = command.split(' ');
    return await client.call(name!, ...rest);
  } finally {
    client.disconnect();
  }
}
