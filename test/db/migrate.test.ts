import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ViewSources } from '../../src/db/apply-views.ts';
import { createDatabase, type Database } from '../../src/db/client.ts';
import { migrate } from '../../src/db/migrate.ts';
import { ConfigInvalid, SchemaTooNew, ViewsBlocked } from '../../src/errors.ts';
import { type TestDatabase, useDatabase, withDatabase } from '../support/database.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A migrations folder as drizzle-kit writes it. */
function migrationsOf(...files: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  folders.push(folder);
  mkdirSync(join(folder, 'meta'));
  const entries = files.map((_, idx) => ({
    idx,
    version: '7',
    when: 1_000 + idx,
    tag: `000${idx}_step`,
    breakpoints: true,
  }));
  writeFileSync(
    join(folder, 'meta', '_journal.json'),
    JSON.stringify({ version: '7', dialect: 'postgresql', entries }),
  );
  for (const [idx, sql] of files.entries()) writeFileSync(join(folder, `000${idx}_step.sql`), sql);
  return folder;
}

function viewsOf(...statements: string[]): ViewSources {
  return { statements, hash: statements.join('|'), version: 1 };
}

const first =
  'create schema ops;--> statement-breakpoint\ncreate schema catalog;--> statement-breakpoint\ncreate table catalog.fruit (name text);';
const second = 'alter table catalog.fruit add column price int;';
const noViews = viewsOf();

const inEmpty = (run: (database: TestDatabase) => Promise<void>) => withDatabase(run, { from: 'empty' });

async function valuesOf(db: Database, text: string): Promise<unknown[]> {
  return (await db.query(text)).rows.map((row) => Object.values(row)[0]);
}

describe('db/migrate', () => {
  it('is content with a folder in which nothing has been generated yet', () =>
    inEmpty(async ({ db }) => {
      const migrationsFolder = mkdtempSync(join(tmpdir(), 'migrations-'));
      folders.push(migrationsFolder);
      expect(await migrate(db, { migrationsFolder, views: noViews })).toEqual({ applied: 0, hasNewViews: false });
    }));

  it('applies what is missing, once', () =>
    inEmpty(async ({ db }) => {
      const apply = (migrationsFolder: string) => migrate(db, { migrationsFolder, views: noViews });
      expect((await apply(migrationsOf(first))).applied).toBe(1);
      expect((await apply(migrationsOf(first, second))).applied).toBe(1);
      expect((await apply(migrationsOf(first, second))).applied).toBe(0);
      await db.query('select name, price from catalog.fruit');
    }));

  it('lets any number of processes migrate at the same moment', () =>
    inEmpty(async ({ url, db }) => {
      const migrationsFolder = migrationsOf(first, second);
      const views = viewsOf('create view marts.fruit as select * from catalog.fruit');
      const others = [1, 2, 3, 4].map((n) => createDatabase({ url, applicationName: `process ${n}` }));
      const results = await Promise.all(others.map((other) => migrate(other, { migrationsFolder, views })));
      await Promise.all(others.map((other) => other.end()));
      expect(results.reduce((sum, { applied }) => sum + applied, 0)).toBe(2);
      expect(results.filter(({ hasNewViews }) => hasNewViews)).toHaveLength(1);
      expect(await valuesOf(db, 'select count(*) from drizzle.__drizzle_migrations')).toEqual([2]);
    }));

  it('waits for a reader in the way in short turns, so that later readers pass', () =>
    inEmpty(async ({ url, db }) => {
      await migrate(db, { migrationsFolder: migrationsOf(first), views: noViews });
      const readers = createDatabase({ url, applicationName: 'reader' });
      let migrated: Promise<unknown> = Promise.resolve();
      await readers.tx(async (tx) => {
        await tx.query('select * from catalog.fruit');
        migrated = migrate(db, { migrationsFolder: migrationsOf(first, second), views: noViews });
        await tx.query('select pg_sleep(0.3)');
        // Behind a migration that waited until this transaction is over it would wait for ever.
        await readers.query('select * from catalog.fruit');
      });
      expect(await migrated).toMatchObject({ applied: 1 });
      await readers.end();
    }));

  it('leaves a failed migration without a trace', () =>
    inEmpty(async ({ db }) => {
      const broken = migrationsOf(first, `${second}--> statement-breakpoint\nselect 1 / 0;`);
      await expect(migrate(db, { migrationsFolder: broken, views: noViews })).rejects.toThrow();
      expect(await valuesOf(db, `select to_regclass('catalog.fruit') is null`)).toEqual([true]);
      expect((await migrate(db, { migrationsFolder: migrationsOf(first, second), views: noViews })).applied).toBe(2);
    }));

  it('touches nothing in a database that a newer program migrated', () =>
    inEmpty(async ({ db }) => {
      await migrate(db, { migrationsFolder: migrationsOf(first, second), views: noViews });
      const older = migrate(db, {
        migrationsFolder: migrationsOf(first),
        views: viewsOf('create view marts.one as select 1'),
      });
      await expect(older).rejects.toThrow(SchemaTooNew);
      await expect(older).rejects.toThrow('schema version 2, this program knows 1');
      expect(await valuesOf(db, `select to_regclass('marts.one') is null`)).toEqual([true]);
    }));

  it('says what to grant when its user may not create', () =>
    inEmpty(async ({ url, db }) => {
      await db.query(`create role visitor_of_migrate login password 'visiting'`);
      const visiting = new URL(url);
      visiting.username = 'visitor_of_migrate';
      visiting.password = 'visiting';
      const visitor = createDatabase({ url: visiting.href, applicationName: 'visitor' });
      const refused = migrate(visitor, { migrationsFolder: migrationsOf(first), views: noViews });
      await expect(refused).rejects.toThrow(ConfigInvalid);
      await expect(refused).rejects.toThrow('grant create on database');
      await visitor.end();
      await db.query('drop role visitor_of_migrate');
    }));

  it('brings the whole schema of this program into an empty database, and finds nothing to do afterwards', () =>
    inEmpty(async ({ db }) => {
      await migrate(db);
      expect(await migrate(db)).toEqual({ applied: 0, hasNewViews: false });
    }));

  describe('marts', () => {
    const migrationsFolder = () => migrationsOf(first);
    const fruit = 'create view marts.fruit as select name from catalog.fruit';
    const ripe = `create function marts.ripe(wanted text) returns setof marts.fruit language sql stable
      begin atomic select * from marts.fruit where name = wanted; end;
      create view marts.ripe_apple as select * from marts.ripe('apple')`;

    it('renews views and functions that need each other, only when their text changed', () =>
      inEmpty(async ({ db }) => {
        const renew = async (views: ViewSources) =>
          (await migrate(db, { migrationsFolder: migrationsFolder(), views })).hasNewViews;
        expect(await renew(viewsOf(fruit, ripe))).toBe(true);
        expect(await renew(viewsOf(fruit, ripe))).toBe(false);
        expect(await renew(viewsOf(fruit.replace('name', 'name, 1 as one'), ripe))).toBe(true);
        await db.query('select one from marts.ripe_apple');
        expect(await renew(viewsOf(fruit))).toBe(true);
        expect(await valuesOf(db, `select to_regclass('marts.ripe_apple') is null`)).toEqual([true]);
      }));

    it('stay those of the newest program, whichever is started last', () =>
      inEmpty(async ({ db }) => {
        const start = async (views: ViewSources) =>
          (await migrate(db, { migrationsFolder: migrationsFolder(), views })).hasNewViews;
        const older = viewsOf(fruit);
        const newer = { ...viewsOf(fruit.replace('name', 'name, 1 as one')), version: 2 };
        expect(await start(older)).toBe(true);
        expect(await start(newer)).toBe(true);
        expect(await start(older)).toBe(false);
        await db.query('select one from marts.fruit');
        expect(await start({ ...older, version: 3 })).toBe(true);
        expect(await start(newer)).toBe(false);
      }));

    it('are renewed where a program put its own that knew of no versions', () =>
      inEmpty(async ({ db }) => {
        const start = async (views: ViewSources) =>
          (await migrate(db, { migrationsFolder: migrationsFolder(), views })).hasNewViews;
        await start(viewsOf(fruit));
        await db.query(`update ops.views_version set hash = 'of the views of an earlier program'`);
        expect(await start(viewsOf(fruit))).toBe(true);
        await db.query('alter table ops.views_version drop column version');
        expect(await start(viewsOf(fruit))).toBe(true);
        expect(await start(viewsOf(fruit))).toBe(false);
      }));

    it('leaves alone what others made there', () =>
      inEmpty(async ({ db }) => {
        await migrate(db, { migrationsFolder: migrationsFolder(), views: viewsOf(fruit) });
        await db.query('create view marts.of_theirs as select 1 as one');
        await migrate(db, { migrationsFolder: migrationsFolder(), views: viewsOf(fruit, ripe) });
        expect(await valuesOf(db, 'select one from marts.of_theirs')).toEqual([1]);
      }));

    it('names what stands in the way of a renewal, and changes nothing', () =>
      inEmpty(async ({ db }) => {
        await migrate(db, { migrationsFolder: migrationsFolder(), views: viewsOf(fruit) });
        await db.query('create schema reporting; create view reporting.fruit as select * from marts.fruit');
        const blocked = migrate(db, { migrationsFolder: migrationsFolder(), views: viewsOf(fruit, ripe) });
        await expect(blocked).rejects.toThrow(ViewsBlocked);
        await expect(blocked).rejects.toThrow('view reporting.fruit depends on view marts.fruit');
        expect(await valuesOf(db, `select to_regclass('marts.ripe_apple') is null`)).toEqual([true]);
      }));
  });

  describe('bi_reader', () => {
    const database = useDatabase({ from: 'empty' });
    const asReader = <Result>(statement: string) =>
      database.db.tx(async (tx) => {
        await tx.query('set local role bi_reader');
        return (await tx.query(statement)).rows as Result[];
      });

    it('reads marts and nothing else', async () => {
      const views = viewsOf(
        'create view marts.fruit as select name from catalog.fruit',
        'create function marts.names() returns setof text language sql stable as $$ select name from marts.fruit $$',
      );
      await migrate(database.db, { migrationsFolder: migrationsOf(first), views });
      await database.db.query(`insert into catalog.fruit values ('apple')`);
      expect(await asReader('select * from marts.fruit')).toEqual([{ name: 'apple' }]);
      expect(await asReader('select * from marts.names()')).toEqual([{ names: 'apple' }]);
      for (const statement of [
        'select * from catalog.fruit',
        'select * from ops.views_version',
        'create view marts.mine as select 1',
        `insert into marts.fruit values ('pear')`,
      ]) {
        await expect(asReader(statement), statement).rejects.toMatchObject({ code: '42501' });
      }
    });

    it('is limited when a person lets it log in', async () => {
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
        ],
      ]);
    });

    it('is done without, with a warning, when the user may not make roles', () =>
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
          migrationsFolder: migrationsOf(first),
          views: viewsOf('create view marts.one as select 1 as one'),
          log,
        });
        await owner.end();
        await db.query('drop owned by owner_of_one cascade; drop role owner_of_one');
        await db.query(`alter role bi_reader set statement_timeout = '30s'`);
        expect(done.hasNewViews).toBe(true);
        expect(warnings).toEqual(['not allowed to manage the role bi_reader']);
      }));
  });
});
