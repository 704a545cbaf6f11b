import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { databaseUrl } from './database-url.ts';

/** Place of a prepared installation: its database and a temporary data folder. */
export interface Making {
  readonly databaseUrl: string;
  readonly home: string;
}

/**
 * The database of a book to copy: made by the first who asks for that name, in whichever process, while others wait. Of
 * a migrated database, or of a copy of another book.
 */
export async function sharedTemplate(
  book: string,
  make: (making: Making) => Promise<unknown>,
  from: () => Promise<string> = async () => inject('templateDatabase'),
): Promise<string> {
  const name = `${inject('templateDatabase')}_${book}`;
  const admin = new pg.Client({ connectionString: inject('adminUrl') });
  await admin.connect();
  try {
    await admin.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await makeAs(name, { admin, make, template: await from() });
    return name;
  } finally {
    await admin.end();
  }
}

interface How {
  readonly admin: pg.Client;
  readonly make: (making: Making) => Promise<unknown>;
  readonly template: string;
}

async function makeAs(name: string, { admin, make, template }: How): Promise<void> {
  const unfinished = `${name}_unfinished`;
  await admin.query(`drop database if exists ${unfinished} with (force)`);
  await admin.query(`create database ${unfinished} template ${template}`);
  const urlOf = (database: string) => databaseUrl(inject('adminUrl'), database);
  const home = mkdtempSync(join(tmpdir(), 'pricebook-shared-template-'));
  try {
    await make({ databaseUrl: urlOf(unfinished), home });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  // Connections of this process outlive their pools (test/support/kept-connections.ts), and a database in use keeps its
  // name.
  await admin.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [unfinished]);
  await admin.query(`alter database ${unfinished} rename to ${name}`);
}
