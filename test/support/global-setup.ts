import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openPostgresStore } from '../../src/app/compose/queue.ts';
import { createDatabase } from '../../src/db/client.ts';
import { silentLog } from '../../src/db/db-log.ts';
import { openEmbedded, removeEmbedded } from '../../src/db/embedded/open-embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { databaseUrl } from './database-url.ts';
import { expectNoLeak, leaksInFiles } from './leaks.ts';
import { programArgs } from './program.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A superuser's URL of the suite's server. */
    adminUrl: string;
    /** The database that tests clone: migrated, with an empty queue. */
    templateDatabase: string;
  }
}

let release: () => Promise<void> = async () => {};

/**
 * One server for the whole suite, with a migrated database to clone; another server with TEST_DATABASE_URL. The
 * program that tests start as a process is bundled here, once.
 */
export async function setup({ provide }: TestProject): Promise<void> {
  const server = process.env['TEST_DATABASE_URL'] ? null : await startServer();
  const adminUrl = server?.url ?? process.env['TEST_DATABASE_URL'] ?? '';
  const templateDatabase = `template_${randomBytes(6).toString('hex')}`;
  release = async () => {
    if (server) await server.remove();
    else {
      // Also everything cloned from it (test/support/shared-template.ts).
      for (const name of await databasesNamed(adminUrl, `${templateDatabase}%`)) {
        await execute(adminUrl, `drop database if exists ${name} with (force)`);
      }
    }
  };

  try {
    await execute(adminUrl, `create database ${templateDatabase}`);
    const db = createDatabase({ url: databaseUrl(adminUrl, templateDatabase), applicationName: 'template' });
    await migrate(db);
    await db.end();
    await (await openPostgresStore(databaseUrl(adminUrl, templateDatabase), silentLog)).close();
    await programArgs('src/cli/main.ts');
  } catch (error) {
    await release();
    throw error;
  }
  provide('adminUrl', adminUrl);
  provide('templateDatabase', templateDatabase);
}

export async function teardown(): Promise<void> {
  await release().catch((error) => {
    // vitest itself only mentions it.
    process.exitCode = 1;
    throw error;
  });
}

async function startServer() {
  const home = mkdtempSync(join(tmpdir(), 'pricebook-test-'));
  // If root runs the tests, the server runs as another user who needs access.
  chmodSync(home, 0o755);
  // The server is never killed and its databases are short-lived, so it neither syncs nor vacuums.
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    autovacuum: 'off',
    shared_buffers: '128MB',
    max_connections: '300',
  };
  const server = await openEmbedded({ home, log: silentLog, settings });
  return {
    url: server.url,
    async remove() {
      await server.close();
      // Its write-ahead log remembers databases that are long gone.
      const leaks = await leaksInFiles(home);
      await removeEmbedded(home);
      rmSync(home, { recursive: true, force: true });
      expectNoLeak(leaks);
    },
  };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function databasesNamed(url: string, like: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    'select datname as name from pg_database where datname like $1',
    [like],
  );
  await client.end();
  return rows.map(({ name }) => name);
}
