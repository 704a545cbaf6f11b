import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { useCliHome } from '../cli/pricebook.ts';
import { databaseUrl } from '../support/database-url.ts';

const role = 'plain_role';
const granted = 'plain_granted';

describe('a role that is no superuser and may create neither databases nor roles', () => {
  const { run } = useCliHome();
  const adminUrl = inject('adminUrl');
  let simulator: Simulator;
  const url = () => {
    const address = new URL(databaseUrl(adminUrl, granted));
    address.username = role;
    address.password = 'plain';
    return address.href;
  };

  beforeAll(async () => {
    await removeAll();
    await asAdmin(
      `create role ${role} login password 'plain' nosuperuser nocreatedb nocreaterole`,
      // template0 has the rights that servers other than the embedded one give.
      `create database ${granted} template template0`,
      `revoke all on database ${granted} from public`,
      `grant connect, temporary, create on database ${granted} to ${role}`,
    );
    simulator = await createSimulator({ items: 60, superDepartments: 2, date: '2026-03-01' });
  });
  afterAll(async () => {
    await simulator.close();
    await removeAll();
  });

  test('an ordinary role crawls nights with the queue in the same database and passes doctor', async () => {
    const env = { DATABASE_URL: url(), GROCERY_BASE_URL: simulator.url };
    const crawl = await run(['--now', '2026-03-01T03:00:00Z', 'crawl', '--region', 'uk', '--max-details', '0'], env);
    expect(crawl.code).toBe(0);
    expect(await run(['--now', '2026-03-01T04:00:00Z', 'doctor'], env)).toMatchObject({ code: 0, stderr: '' });
    const owner = `select nspowner::regrole::text as owner from pg_namespace where nspname = 'bullmq'`;
    expect((await query(databaseUrl(adminUrl, granted), owner)).rows).toEqual([{ owner: role }]);
  });

  test('a role that may not create a schema is told the required grants', async () => {
    await asAdmin(`revoke create on database ${granted} from ${role}`);
    await query(databaseUrl(adminUrl, granted), 'drop schema bullmq cascade');
    const { code, stderr } = await run(['--now', '2026-03-02T03:00:00Z', 'crawl', '--region', 'uk'], {
      DATABASE_URL: url(),
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
    await asAdmin(`drop database if exists ${granted} with (force)`, `drop role if exists ${role}`);
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
