import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { clockFrom } from '../../src/base/clock.ts';
import { createDatabase, type Database } from '../../src/db/client.ts';
import type { Explorer, ExplorerNeeds } from '../../src/web/server.ts';
import { deriveAll, fill, played, playedNights } from '../docs/played-book.ts';
import { databaseUrl } from '../support/database-url.ts';
import { openAt } from '../support/open-explorer.ts';
import { sharedTemplate } from '../support/shared-template.ts';
import { addRows } from './added-rows.ts';
import { readCsv } from './read-csv.ts';

/** The book of the explorer's tests: the played one, in which the British night of `partialNight` is not certified. */
export const book = {
  firstNight: '2026-06-06',
  partialNight: '2026-06-08',
  lastNight: played.lastNight,
} as const;

export interface ExplorerBook {
  readonly db: Database;
  readonly url: string;
  /** Response of the server to an address. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** HTML of a page. */
  page(path: string): Promise<string>;
  /** All rows of a question, as its CSV has them. */
  rows(question: string, parameters?: string): Promise<Record<string, string | null>[]>;
  /** Rows as an analyst reads them: as `bi_reader`. */
  ask<Row = Record<string, unknown>>(statement: string): Promise<Row[]>;
}

export type BookKind = 'full' | 'empty';

/**
 * An explorer over a book of its own: `full` is a copy of one book, played once for all files; `empty` has no night. On
 * the day of the last night.
 */
export function useExplorer(kind: BookKind = 'full'): ExplorerBook {
  let open: { db: Database; name: string; explorer: Explorer } | null = null;
  beforeAll(async () => {
    const name = `test_explorer_${kind}_${process.pid}_${randomBytes(4).toString('hex')}`;
    const template = kind === 'full' ? await derivedOnce() : inject('templateDatabase');
    await asAdmin((admin) => admin.query(`create database ${name} template ${template}`));
    const db = createDatabase({ url: urlOf(name), applicationName: 'test', max: 4 });
    open = { db, name, explorer: await openOver(db) };
  });
  afterAll(async () => {
    if (!open) return;
    await open.explorer.close();
    await open.db.end();
    const { name } = open;
    await asAdmin((admin) => admin.query(`drop database if exists ${name} with (force)`));
  });
  const current = () => {
    if (!open) throw new Error('the explorer is there inside tests and hooks only');
    return open;
  };
  return {
    get db() {
      return current().db;
    },
    get url() {
      return current().explorer.url;
    },
    get: (path, headers = {}) => fetch(current().explorer.url + path, { headers }),
    page: async (path) => (await fetch(current().explorer.url + path)).text(),
    rows: async (question, parameters = '') =>
      readCsv(await (await fetch(`${current().explorer.url}/api/v1/questions/${question}.csv?${parameters}`)).text()),
    ask: (statement) =>
      current().db.tx(async (tx) => {
        await tx.query('set local role bi_reader');
        return (await tx.query(statement)).rows as never;
      }),
  };
}

/** An explorer over a database, on the evening of the last night. */
export const openOver = (db: Database, more: Partial<ExplorerNeeds> = {}): Promise<Explorer> =>
  openAt(db, clockFrom(new Date(`${book.lastNight}T20:00:00Z`)), more);

const urlOf = (name: string) => databaseUrl(inject('adminUrl'), name);

/** The database to copy. */
const derivedOnce = () =>
  sharedTemplate(
    'explorer',
    ({ databaseUrl }) =>
      fill(databaseUrl, async (db) => {
        await db.query(`update ops.run set verdict = 'partial' where region = 'uk' and snapshot_date = $1`, [
          book.partialNight,
        ]);
        await deriveAll(db);
        await addRows(db, book);
      }),
    playedNights,
  );

async function asAdmin(use: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: inject('adminUrl') });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}
