import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { refuseUnusable } from '../../src/app/compose/usable-database.ts';
import { silentLog } from '../../src/db/db-log.ts';
import { openEmbedded, removeEmbedded } from '../../src/db/embedded/open-embedded.ts';
import { useCliHome } from '../cli/pricebook.ts';
import { databaseUrl } from '../support/database-url.ts';
import { useFolder } from '../support/folder.ts';

const adminUrl = inject('adminUrl');
const made: string[] = [];
const { run } = useCliHome();

/** Returns the first value of the last statement. */
async function askOn(url: string, statements: readonly string[]) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let last: pg.QueryResult | undefined;
  for (const statement of statements) last = await client.query(statement);
  await client.end();
  return Object.values(last?.rows[0] ?? {})[0] as string;
}
const asAdmin = (...statements: readonly string[]) => askOn(adminUrl, statements);

/** A server of one's own, which can be started again. */
async function withServer(use: (restart: () => Promise<string>) => Promise<void>): Promise<void> {
  const home = useFolder('own-server');
  chmodSync(home, 0o755);
  const started: Awaited<ReturnType<typeof openEmbedded>>[] = [];
  try {
    await use(async () => {
      for (const server of started.splice(0)) await server.close();
      started.push(await openEmbedded({ home, log: silentLog, settings: { wal_level: 'replica' } }));
      return started[0]!.url;
    });
  } finally {
    for (const server of started) await server.close();
    await removeEmbedded(home);
  }
}
async function create(name: string, options: string, ...more: readonly string[]): Promise<string> {
  made.push(name);
  await asAdmin(`drop database if exists ${name}`, `create database ${name} template template0 ${options}`, ...more);
  return databaseUrl(adminUrl, name);
}
const commands = [
  ['crawl', '--region', 'uk'],
  ['migrate'],
  ['status'],
  ['find', '--words', 'milk'],
  ['doctor', '--data'],
];

/** Every command and `doctor` say the same in one line. */
async function expectRefusal(url: string, exit: number, line: RegExp): Promise<void> {
  for (const args of commands) {
    const { code, stdout, stderr } = await run(args, { DATABASE_URL: url });
    expect([code, stdout], stderr).toEqual([exit, '']);
    expect(stderr).toMatch(/^pricebook: [^\n]+\n$/);
    expect(stderr).toMatch(line);
  }
  const { code, stdout } = await run(['doctor', '--json'], { DATABASE_URL: url });
  const wrong = JSON.parse(stdout).findings.filter(({ level }: { level: string }) => level !== 'ok');
  expect([code, wrong]).toEqual([exit, [{ level: 'error', about: 'database', says: expect.stringMatching(line) }]]);
}

describe('a database that the program cannot work in', () => {
  afterAll(() =>
    asAdmin(
      ...made.map((name) => `drop database if exists ${name} with (force)`),
      'drop role if exists reads_only, makes_nothing',
    ),
  );

  test.each(['LATIN1', 'SQL_ASCII', 'WIN1252'])('the encoding %s is refused by every command', async (encoding) => {
    const url = await create(
      `encoded_${encoding.toLowerCase()}`,
      `encoding '${encoding}' locale_provider libc lc_collate 'C' lc_ctype 'C'`,
    );
    await expectRefusal(url, 78, new RegExp(`encoding ${encoding}.*encoding 'UTF8'`));
  });

  test('a database or role whose transactions only read is refused by every command', async () => {
    const url = await create('only_reads', '', 'alter database only_reads set default_transaction_read_only = on');
    await expectRefusal(url, 78, /only_reads only reads .*default_transaction_read_only = off/);

    const ofRole = new URL(await create('reads_by_role', ''));
    await asAdmin(
      `create role reads_only login password 'pass'`,
      `create role makes_nothing login password 'pass'`,
      'alter role reads_only set default_transaction_read_only = on',
    );
    ofRole.username = 'reads_only';
    ofRole.password = 'pass';
    await expectRefusal(ofRole.href, 78, /reads_by_role only reads for reads_only/);
    ofRole.username = 'makes_nothing';
    await expectRefusal(ofRole.href, 78, /grant create on database reads_by_role to makes_nothing/);
  });

  test('a database that does not exist is refused by every command', async () => {
    await expectRefusal(databaseUrl(adminUrl, 'nowhere'), 78, /refuses the login .*database "nowhere" does not exist/);
  });

  test('a role without CREATEROLE is told in one line what to run, after which marts can be read', () =>
    withServer(async (restart) => {
      const url = await restart();
      const ask = (...statements: readonly string[]) => askOn(url, statements);
      await ask("create role plain login password 'pass'", 'create database plain owner plain');
      const own = new URL(databaseUrl(url, 'plain'));
      own.username = 'plain';
      own.password = 'pass';
      const { code, stdout, stderr } = await run(['migrate'], { DATABASE_URL: own.href });
      expect([code, stdout], stderr).toEqual([0, '']);
      const [, statements = ''] = /^warning: the role bi_reader.*CREATEROLE.* run: (.*); then run .*migrate/m.exec(
        stderr,
      )!;
      expect(stderr).not.toMatch(/^\{/m);

      await ask(...statements.split('; '), 'grant bi_reader to plain');
      expect((await run(['migrate'], { DATABASE_URL: own.href })).stderr).not.toContain('warning');
      await askOn(own.href, ['set role bi_reader', 'select * from marts.snapshot']);
    }));

  test('a standby is refused by every command with the exit code of an unreachable server', () =>
    withServer(async (restart) => {
      writeFileSync(join(await askOn(await restart(), ['show data_directory']), 'standby.signal'), '');
      await expectRefusal(await restart(), 69, /is a standby, which only reads/);
    }));

  test('a server that is too old is refused with the versions that can be used', async () => {
    const server = { version: 14, encoding: 'UTF8', is_standby: false, is_read_only: false, may_set_up: true };
    const old = { query: async () => ({ rows: [server] }) as unknown as pg.QueryResult<never> };
    await expect(refuseUnusable(old, silentLog)).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringMatching(/PostgreSQL 14; 15 to 18/),
    });
  });
});
