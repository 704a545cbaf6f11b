import pLimit from 'p-limit';
import { createDatabase, type Database, type Queryable } from '../db/client.ts';
import { codeOf } from '../db/connection-error.ts';
import { readBatches } from '../db/read-batches.ts';
import { readingSettings } from '../db/reader-role.ts';
import type { Ask, Row } from './question.ts';
import type { Sql } from './sql.ts';

/** Read access to the marts. */
export interface Reader {
  ask(statement: Sql): Promise<Answer>;
  /** Asks several statements about one snapshot of the database. */
  inOneSnapshot<Result>(work: (ask: Reader['ask']) => Promise<Result>): Promise<Result>;
  /** All rows of a statement in batches, from one snapshot that `before` sees, too. */
  batches(statement: Sql, before: (ask: Ask) => Promise<void>): AsyncGenerator<Row[]>;
  close(): Promise<void>;
}

interface Answer {
  readonly rows: readonly Row[];
  readonly fields: readonly string[];
}

interface ReaderOptions {
  readonly databaseUrl: string;
  /**
   * Called if the user of DATABASE_URL may not switch to `bi_reader`. Pages are then read, still read-only, with that
   * user's rights.
   */
  onOwnRights(reason: string): void;
}

const role = 'bi_reader';
/** Maximum duration of a statement: a page that takes longer is of no use. */
const statementTimeoutMs = 10_000;
/** Shorter than elsewhere, because a user waits for the page and can reload it. */
const reconnectLimitMs = 3_000;
/** A page runs several statements in parallel, and a few users may read at once. */
const connections = 6;

/**
 * Opens read-only connections with the role `bi_reader`, which can only read `marts`. If DATABASE_URL's user may not
 * switch to that role, the connections keep that user.
 */
export async function openReader({ databaseUrl, onOwnRights }: ReaderOptions): Promise<Reader> {
  const asReader = open(databaseUrl, `-c role=${role}`);
  try {
    await asReader.query('select 1 from marts.dim_region limit 1');
    return readerOf(asReader);
  } catch (error) {
    // 22023: the role does not exist; 42501: the user may not switch to it, or the role may not read.
    if (!['22023', '42501'].includes(codeOf(error) ?? '')) {
      await asReader.end();
      throw error;
    }
    await asReader.end();
    onOwnRights((error as Error).message);
    return readerOf(open(databaseUrl, ''));
  }
}

function open(databaseUrl: string, more: string) {
  return createDatabase({
    url: withOptions(
      databaseUrl,
      `-c default_transaction_read_only=on -c statement_timeout=${statementTimeoutMs} ${more}`,
    ),
    applicationName: 'pricebook explorer',
    max: connections,
    reconnectLimitMs,
  });
}

function readerOf(db: Database): Reader {
  return {
    ask: askOn(db),
    inOneSnapshot: (work) =>
      db.tx(
        async (tx) => {
          // A connection carries out one statement at a time.
          const inTurn = pLimit(1);
          try {
            return await work((statement) => inTurn(() => askOn(tx)(statement)));
          } finally {
            inTurn.clearQueue();
          }
        },
        { isolation: 'repeatable read', readOnly: true },
      ),
    batches: ({ text, asked }, before) => readBatches(db, text, asked, (sql) => before(askOn(sql))),
    close: () => db.end(),
  };
}

function askOn(sql: Queryable): (statement: Sql) => Promise<Answer> {
  return async ({ text, asked }) => {
    const { rows, fields } = await sql.query(text, asked);
    return { rows, fields: fields.map(({ name }) => name) };
  };
}

/**
 * Adds settings to the options of a URL. PostgreSQL applies a role's settings at log-in only, so they are repeated
 * here: see src/db/reader-role.ts.
 */
function withOptions(url: string, given: string): string {
  const at = url.indexOf('?');
  const parameters = new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
  const settings = Object.entries(readingSettings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
  parameters.set('options', [parameters.get('options'), settings, given].filter(Boolean).join(' '));
  return `${at < 0 ? url : url.slice(0, at)}?${parameters}`;
}
