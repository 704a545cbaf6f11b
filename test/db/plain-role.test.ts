import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { useHousehold } from '../cli/pricebook.ts';
import { databaseUrl } from '../support/database-url.ts';

const role = 'plain_role';

describe('a role that is no superuser and may create neither databases nor roles', () => {
  const { run } = useHousehold();
  const adminUrl = inject('adminUrl');
  const databases = { owned: 'plain_owned', granted: 'plain_granted' };
  let simulator: Simulator;

  beforeAll(async () => {
    await removeAll();
    await asAdmin(
      `create role ${role} login password 'plain' nosuperuser nocreatedb nocreaterole`,
      // template0 has the rights that servers other than the embedded one give.
      `create database ${databases.owned} owner ${role} template template0`,
      `create database ${databases.granted} template template0`,
      `revoke all on database ${databases.granted} from public`,
      `grant connect, temporary, create on database ${databases.granted} to ${role}`,
    );
    simulator = await createSimulator({ items: 60, superDepartments: 2, date: '2026-03-01' });
  });
  afterAll(async () => {
    await simulator.close();
    await removeAll();
  });

  test.each([
    ['owns its database', databases.owned],
    ['may only create schemas in a database of another role', databases.granted],
  ])(
    'an ordinary role crawls nights with the queue in the same database and passes doctor when it %s',
    async (_, name) => {
      const url = new URL(databaseUrl(adminUrl, name));
      url.username = role;
      url.password = 'plain';
      const env = { DATABASE_URL: url.href, GROCERY_BASE_URL: simulator.url };

      const crawl = await run(['--now', '2026-03-01T03:00:00Z', 'crawl', '--region', 'uk', '--max-details', '0'], env);
      expect(crawl.code).toBe(0);
      const doctor = await run(['--now', '2026-03-01T04:00:00Z', 'doctor'], env);
      expect(doctor).toMatchObject({ code: 0, stderr: '' });

      const { rows } = await query(
        databaseUrl(adminUrl, name),
        `select nspowner::regrole::text as owner from pg_namespace where nspname = 'bullmq'`,
      );
      expect(rows).toEqual([{ owner: role }]);
    },
  );

  test('a role that may not create a schema is told the required grants', async () => {
    await asAdmin(`revoke create on database ${databases.granted} from ${role}`);
    await query(databaseUrl(adminUrl, databases.granted), 'drop schema bullmq cascade');
    const url = new URL(databaseUrl(adminUrl, databases.granted));
    url.username = role;
    url.password = 'plain';
    const { code, stderr } = await run(['--now', '2026-03-02T03:00:00Z', 'crawl', '--region', 'uk'], {
      DATABASE_URL: url.href,
      GROCERY_BASE_URL: simulator.url,
    });
    expect(code).toBe(78);
    expect(stderr).toContain('DATABASE_URL: its user may not set up the schema bullmq');
    expect(stderr).toContain('grant create on database');
  });

  async function asAdmin(...statements: readonly string[]): Promise<void> {
    for (const statement of statements) await query(adminUrl, statement);
  }

  async function removeAll(): Promise<void> {
    const drops = Object.values(databases).map((name) => `drop database if exists ${name} with (force)`);
    await asAdmin(...drops, `drop role if exists ${role}`);
  }
});

async function query(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}
