import pLimit from 'p-limit';
import { createDatabase, type Database, type Queryable } from '../db/client.ts';
import { codeOf } from '../db/connection-error.ts';
import { readBatches } from '../db/read-batches.ts';
import { readerUrl } from '../db/reader-role.ts';
import type { Row } from '../questions/columns.ts';
import type { Ask } from '../questions/question.ts';
import type { Sql } from '../questions/sql.ts';

/** Read access to the marts. */
export interface Reader {
  readonly ask: Ask;
  /** Asks several statements about one snapshot of the database. */
  inOneSnapshot<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result>;
  /** All rows of a statement in batches, from one snapshot that `before` sees, too. */
  batches(statement: Sql, before: (ask: Ask) => Promise<void>): AsyncGenerator<Row[]>;
  close(): Promise<void>;
}

interface ReaderOptions {
  readonly databaseUrl: string;
  /**
   * Called if the user of DATABASE_URL may not switch to `bi_reader`. Pages are then read, still read-only, with that
   * user's rights.
   */
  onOwnRights(reason: string): void;
}

/** Shorter than elsewhere, because a user waits for the page and can reload it. */
const reconnectLimitMs = 3_000;
/** A page runs several statements in parallel, and a few users may read at once. */
const connections = 6;

/**
 * Opens read-only connections with the role `bi_reader`, which can only read `marts`. If DATABASE_URL's user may not
 * switch to that role, the connections keep that user.
 */
export async function openReader({ databaseUrl, onOwnRights }: ReaderOptions): Promise<Reader> {
  const asReader = open(databaseUrl, true);
  try {
    await asReader.query('select 1 from marts.dim_region limit 1');
    return readerOf(asReader);
  } catch (error) {
    await asReader.end();
    // 22023: the role does not exist; 42501: the user may not switch to it, or the role may not read.
    if (!['22023', '42501'].includes(codeOf(error) ?? '')) throw error;
    onOwnRights((error as Error).message);
    return readerOf(open(databaseUrl, false));
  }
}

const open = (databaseUrl: string, isReader: boolean) =>
  createDatabase({
    // A page that takes longer is of no use; the reader of a whole table may pause for a minute.
    url: readerUrl(databaseUrl, isReader, { statement_timeout: '10s' }),
    session: `set idle_in_transaction_session_timeout = '60s'`,
    applicationName: 'pricebook explorer',
    max: connections,
    reconnectLimitMs,
  });

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
    batches: ({ text, values }, before) => readBatches(db, text, values, (sql) => before(askOn(sql))),
    close: () => db.end(),
  };
}

const askOn =
  (sql: Queryable): Ask =>
  ({ text, values }) =>
    sql.query(text, [...values]);
