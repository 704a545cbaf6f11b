import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createDatabase } from '../../src/db/client.ts';
import { silentLog } from '../../src/db/db-log.ts';
import { openEmbedded, removeEmbedded } from '../../src/db/embedded/open-embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { databaseUrl } from '../support/database-url.ts';

/** The server that schedules share, with a migrated database to clone. */
export interface Ground {
  readonly adminUrl: string;
  readonly templateDatabase: string;
}

/** Creates a ground for `use` and removes it. Machine crashes are not simulated, so nothing waits for the disk. */
export async function withGround(use: (ground: Ground) => Promise<void>): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'pricebook-prove-'));
  // If root runs this, the server runs as another user who needs access.
  chmodSync(home, 0o755);
  const settings = { fsync: 'off', shared_buffers: '128MB', max_connections: '300' };
  const server = await openEmbedded({ home, log: silentLog, settings });
  try {
    const ground = { adminUrl: server.url, templateDatabase: 'template_prove' };
    await asAdmin(ground, `create database ${ground.templateDatabase}`);
    const db = createDatabase({ url: databaseUrl(server.url, ground.templateDatabase), applicationName: 'template' });
    await migrate(db);
    await db.end();
    await use(ground);
  } finally {
    await server.close();
    await removeEmbedded(home);
    rmSync(home, { recursive: true, force: true });
  }
}

/** A database of one's own. */
export async function openDatabases(ground: Ground) {
  const name = `prove_${randomBytes(6).toString('hex')}`;
  await asAdmin(ground, `create database ${name} template ${ground.templateDatabase} strategy file_copy`);
  const url = databaseUrl(ground.adminUrl, name);
  const db = createDatabase({ url, applicationName: 'prove', max: 4 });
  return {
    url,
    db,
    async drop() {
      await db.end();
      await asAdmin(ground, `drop database if exists ${name} with (force)`);
    },
  };
}

async function asAdmin({ adminUrl }: Ground, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
