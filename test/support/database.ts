import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { createDatabase, type Database } from '../../src/db/client.ts';
import { databaseUrl } from './database-url.ts';

/** A database of one's own on the suite's server. */
export interface TestDatabase {
  readonly url: string;
  readonly db: Database;
}

export interface TestDatabaseOptions {
  /**
   * `migrated` (default): a clone of the suite's template, with the schema of an empty queue. `empty`: nothing in it.
   * Else a clone of the database it names.
   */
  readonly from?: 'migrated' | 'empty' | (() => Promise<string>);
  readonly max?: number;
  /** Created and dropped for each test instead of once for all. */
  readonly isForEachTest?: boolean;
}

/** Hooks between which the database exists. */
export const hooksOf = ({ isForEachTest = false }: TestDatabaseOptions) =>
  isForEachTest ? { before: beforeEach, after: afterEach } : { before: beforeAll, after: afterAll };

/**
 * A database for all tests of the file (or describe block), dropped after them. Its fields can be read inside tests and
 * hooks.
 */
export function useDatabase(options: TestDatabaseOptions = {}): TestDatabase {
  const { before, after } = hooksOf(options);
  let open: OpenDatabase | null = null;
  before(async () => {
    open = await openDatabase(options);
  });
  after(async () => {
    await open?.drop();
  });
  const current = () => {
    if (!open) throw new Error('the database is there inside tests and hooks only');
    return open;
  };
  return {
    get url() {
      return current().url;
    },
    get db() {
      return current().db;
    },
  };
}

/** A database for the length of one function. */
export async function withDatabase<Result>(
  use: (database: TestDatabase) => Promise<Result>,
  options: TestDatabaseOptions = {},
): Promise<Result> {
  const open = await openDatabase(options);
  try {
    return await use(open);
  } finally {
    await open.drop();
  }
}

/** Copies the template's files instead of writing every page of them to the log: a quarter of the processor time. */
const byFile = 'strategy file_copy';

interface OpenDatabase extends TestDatabase {
  drop(): Promise<void>;
}

async function openDatabase({ from = 'migrated', max = 10 }: TestDatabaseOptions): Promise<OpenDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = await templateOf(from);
  await asAdmin(`create database ${name} template ${template} ${byFile}`);

  const url = databaseUrl(inject('adminUrl'), name);
  const db = createDatabase({ url, applicationName: 'test', max });
  return {
    url,
    db,
    async drop() {
      if (!db.pool.ended) await db.end();
      await asAdmin(`drop database if exists ${name} with (force)`);
    },
  };
}

async function templateOf(from: NonNullable<TestDatabaseOptions['from']>): Promise<string> {
  if (from === 'migrated') return inject('templateDatabase');
  return from === 'empty' ? 'template0' : from();
}

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('adminUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
