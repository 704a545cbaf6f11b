import { describe, expect, it } from 'vitest';
import { ConfigInvalid } from '../../src/base/errors.ts';
import { createDatabase, type Database } from '../../src/db/client.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type SchemaSources, schemaOf } from '../../src/db/schema-sources.ts';
import { type TestDatabase, useDatabase, withDatabase } from '../support/database.ts';

const first = 'create schema ops; create schema catalog; create table catalog.fruit (name text);';

/** A schema of one table, `catalog.fruit`, with these views. */
const schemaWith = (...views: string[]): SchemaSources =>
  schemaOf({ baseline: [first], objects: views.map((text, n) => [`${n}.sql`, text]) });

const inEmpty = (run: (database: TestDatabase) => Promise<void>) => withDatabase(run, { from: 'empty' });

async function valuesOf(db: Database, text: string): Promise<unknown[]> {
  return (await db.query(text)).rows.map((row) => Object.values(row)[0]);
}

describe('db/migrate', () => {
  it('migration creates the whole schema in an empty database, and repeating it does nothing', () =>
    inEmpty(async ({ db }) => {
      expect(await migrate(db)).toEqual({ isNew: true, hasNewObjects: true });
      expect(await migrate(db)).toEqual({ isNew: false, hasNewObjects: false });
    }));

  it('concurrent processes can create the schema', () =>
    inEmpty(async ({ url }) => {
      const schema = schemaWith('create view marts.fruit as select * from catalog.fruit');
      const others = [1, 2, 3, 4].map((n) => createDatabase({ url, applicationName: `process ${n}` }));
      const results = await Promise.all(others.map((other) => migrate(other, { schema })));
      await Promise.all(others.map((other) => other.end()));
      expect(results.filter(({ isNew }) => isNew)).toHaveLength(1);
      expect(results.filter(({ hasNewObjects }) => hasNewObjects)).toHaveLength(1);
    }));

  it('migration waits for readers with short lock attempts, so that later readers pass', () =>
    inEmpty(async ({ url, db }) => {
      await migrate(db, { schema: schemaWith('create view marts.fruit as select 1 as one') });
      const readers = createDatabase({ url, applicationName: 'reader' });
      let migrated: Promise<unknown> = Promise.resolve();
      await readers.tx(async (tx) => {
        await tx.query('select * from marts.fruit');
        migrated = migrate(db, { schema: schemaWith('create view marts.fruit as select 2 as two') });
        const waiting = 'select from pg_locks where not granted and pid <> pg_backend_pid()';
        const waiters = async () => (await readers.query(`${waiting} and relation is not null`)).rowCount;
        await expect.poll(waiters, { interval: 10, timeout: 10_000 }).toBeGreaterThan(0);
        // A migration that waited until this transaction is over would make this reader wait for ever.
        await readers.query('select * from marts.fruit');
      });
      expect(await migrated).toMatchObject({ hasNewObjects: true });
      await readers.end();
    }));

  it('a failed migration leaves no trace', () =>
    inEmpty(async ({ db }) => {
      await expect(migrate(db, { schema: schemaWith('select 1 / 0') })).rejects.toThrow();
      expect(await valuesOf(db, `select to_regnamespace('ops') is null`)).toEqual([true]);
      expect((await migrate(db, { schema: schemaWith() })).isNew).toBe(true);
    }));

  it('a schema of another version is left unchanged', () =>
    inEmpty(async ({ db }) => {
      await migrate(db, { schema: schemaWith() });
      const objects = [['one.sql', 'create view marts.one as select 1']] as const;
      const other = schemaOf({ baseline: [`${first} create table catalog.leaf ()`], objects });
      await expect(migrate(db, { schema: other })).rejects.toThrow(/schema of another version/);
      expect(await valuesOf(db, `select to_regclass('marts.one') is null`)).toEqual([true]);
    }));

  it('a foreign schema named ops is left unchanged', () =>
    inEmpty(async ({ db }) => {
      await db.query('create schema ops');
      await expect(migrate(db)).rejects.toThrow(/schema of another version/);
    }));

  it('missing permissions are reported with the required grants', () =>
    inEmpty(async ({ url, db }) => {
      await db.query(`create role visitor_of_migrate login password 'visiting'`);
      const visiting = new URL(url);
      visiting.username = 'visitor_of_migrate';
      visiting.password = 'visiting';
      const visitor = createDatabase({ url: visiting.href, applicationName: 'visitor' });
      const refused = migrate(visitor, { schema: schemaWith() });
      await expect(refused).rejects.toThrow(ConfigInvalid);
      await expect(refused).rejects.toThrow('grant create on database');
      await visitor.end();
      await db.query('drop role visitor_of_migrate');
    }));

  describe('marts', () => {
    const fruit = 'create view marts.fruit as select name from catalog.fruit';
    const ripe = `create function marts.ripe(wanted text) returns setof marts.fruit language sql stable
      begin atomic select * from marts.fruit where name = wanted; end;
      create view marts.ripe_apple as select * from marts.ripe('apple')`;

    it('changed views and functions are replaced, including dependent ones', () =>
      inEmpty(async ({ db }) => {
        const renew = async (...views: string[]) => (await migrate(db, { schema: schemaWith(...views) })).hasNewObjects;
        expect(await renew(fruit, ripe)).toBe(true);
        expect(await renew(fruit, ripe)).toBe(false);
        expect(await renew(fruit.replace('name', 'name, 1 as one'), ripe)).toBe(true);
        await db.query('select one from marts.ripe_apple');
        expect(await renew(fruit)).toBe(true);
        expect(await valuesOf(db, `select to_regclass('marts.ripe_apple') is null`)).toEqual([true]);
      }));

    it('a function with a new result type is replaced', () =>
      inEmpty(async ({ db }) => {
        const withFunction = (body: string) =>
          schemaOf({ baseline: [first], objects: [['ripe.sql', `create function ops.ripe() returns ${body}`]] });
        await migrate(db, { schema: withFunction('int language sql as $$ select 1 $$') });
        await migrate(db, { schema: withFunction('text language sql as $$ select $t$one$t$ $$') });
        expect(await valuesOf(db, 'select ops.ripe()')).toEqual(['one']);
      }));

    it('foreign objects in marts are left alone', () =>
      inEmpty(async ({ db }) => {
        await migrate(db, { schema: schemaWith(fruit) });
        await db.query('create view marts.of_theirs as select 1 as one');
        await migrate(db, { schema: schemaWith(fruit, ripe) });
        expect(await valuesOf(db, 'select one from marts.of_theirs')).toEqual([1]);
      }));

    it("an analyst's view survives while the mart that it reads is unchanged, and else blocks the replacement", () =>
      inEmpty(async ({ db }) => {
        await migrate(db, { schema: schemaWith(fruit, ripe) });
        await db.query('create schema reporting; create view reporting.fruit as select * from marts.fruit');
        const apple = ripe.replace("'apple'", "'pear'");
        expect((await migrate(db, { schema: schemaWith(fruit, apple) })).hasNewObjects).toBe(true);
        expect(await valuesOf(db, 'select count(*)::int from reporting.fruit')).toEqual([0]);
        const blocked = migrate(db, { schema: schemaWith(`${fruit} where name <> ''`, apple) });
        await expect(blocked).rejects.toThrow(/views in marts cannot be replaced: view reporting.fruit depends/);
        expect(await valuesOf(db, `select to_regclass('marts.ripe_apple') is null`)).toEqual([false]);
      }));

    it('comments and seed rows neither replace an object nor refuse a database', () =>
      inEmpty(async ({ db }) => {
        await migrate(db, { schema: schemaWith(`${fruit};\n`) });
        const baseline = [`-- Fruit.\n${first}`];
        const schema = schemaOf({
          ...{ baseline, seeds: [`insert into catalog.fruit values ('fig')`] },
          objects: [['0.sql', `-- Fruit.\n${fruit};\ncomment on view marts.fruit is 'Fruit.'`]],
        });
        await db.query('create view marts.of_theirs as select * from marts.fruit');
        expect((await migrate(db, { schema })).hasNewObjects).toBe(false);
      }));
  });

  describe('bi_reader', () => {
    const database = useDatabase({ from: 'empty' });

    it('bi_reader is limited when log-in is allowed', async () => {
      expect(await valuesOf(database.db, `select rolconfig from pg_roles where rolname = 'bi_reader'`)).toEqual([
        [
          'default_transaction_read_only=on',
          'statement_timeout=30s',
          'idle_in_transaction_session_timeout=60s',
          'lock_timeout=2s',
          'work_mem=64MB',
          'jit=off',
          'join_collapse_limit=12',
          'from_collapse_limit=12',
          'parallel_tuple_cost=0.01',
        ],
      ]);
    });

    it('without permission to create roles, bi_reader is skipped with a warning', () =>
      inEmpty(async ({ url, db }) => {
        await db.query(`create role owner_of_one login password 'owning'`);
        await db.query(`grant create on database ${new URL(url).pathname.slice(1)} to owner_of_one`);
        const owning = new URL(url);
        owning.username = 'owner_of_one';
        owning.password = 'owning';
        const owner = createDatabase({ url: owning.href, applicationName: 'owner' });
        const warnings: string[] = [];
        const log = { info: () => {}, warn: (_: object, message: string) => warnings.push(message) };
        await db.query(`alter role bi_reader reset statement_timeout`);
        const done = await migrate(owner, {
          schema: schemaWith('create view marts.one as select 1 as one'),
          log,
        });
        await owner.end();
        await db.query('drop owned by owner_of_one cascade; drop role owner_of_one');
        await db.query(`alter role bi_reader set statement_timeout = '30s'`);
        expect(done.hasNewObjects).toBe(true);
        expect(warnings).toEqual([
          expect.stringMatching(/bi_reader.*CREATEROLE.*alter role bi_reader set statement_timeout/),
        ]);
      }));
  });
});
