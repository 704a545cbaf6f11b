import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { limitErrors } from '../base/limited-lines.ts';
import { surviveBreaking } from './broken-connection.ts';
import { asServerError, isConnectionError, isTransient, isWorthWaiting, wasSurelyUndone } from './connection-error.ts';
import { type DbLog, silentLog } from './db-log.ts';
import { type Orm, ormOver } from './orm.ts';
import { valueTypes } from './value-types.ts';

interface DatabaseOptions {
  /** `postgres://…`; needs a direct or session-pooled connection. Its `options` are set as well. */
  readonly url: string;
  /** Shown in pg_stat_activity: `pricebook crawl`. */
  readonly applicationName: string;
  /** Connections at most; 10. */
  readonly max?: number;
  /** Statements that each connection begins with, after our own settings. */
  readonly session?: string;
  readonly log?: DbLog;
  /** How long a server that was reached before is waited for; 30 s. */
  readonly reconnectLimitMs?: number;
}

/** Anything that can run a statement: a pool, a transaction or a single connection. */
export interface Queryable {
  /** One statement, values as `$1, $2, …`. */
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ): Promise<pg.QueryResult<Row>>;
}

/** An open transaction. */
export interface Transaction extends Queryable {
  /** The bare connection, for COPY. */
  readonly client: pg.PoolClient;
  /** The query builder, in this transaction. */
  readonly orm: Orm;
}

interface TransactionOptions {
  /** Longest wait for one lock, milliseconds; running out of it is tried again. */
  readonly lockTimeoutMs?: number;
  /**
   * Longest pause between two statements, milliseconds; 120 s. A process that is stopped then loses its locks, so that
   * others can go on.
   */
  readonly idleTimeoutMs?: number;
  /** One snapshot for all reads. */
  readonly isolation?: 'repeatable read' | 'serializable';
  readonly readOnly?: boolean;
  /** How often it may run in all; 5. */
  readonly attempts?: number;
}

/** A pool of connections to one database. Connection failures reach the caller as `ServerUnreachable`. */
export interface Database extends Queryable {
  readonly url: string;
  readonly pool: pg.Pool;
  /** The query builder. Each statement takes a connection of the pool. */
  readonly orm: Orm;
  /**
   * begin, `run`, commit; rollback when it throws. The whole is tried again, at most `attempts` times, after a
   * serialization failure, a deadlock, a lock timeout, or a connection lost before the commit was sent: `run` must bear
   * running again.
   */
  tx<Result>(run: (tx: Transaction) => Promise<Result>, options?: TransactionOptions): Promise<Result>;
  /** A connection of one's own, for advisory locks and COPY; given back when `use` settles. */
  withClient<Result>(use: (client: pg.PoolClient) => Promise<Result>): Promise<Result>;
  end(): Promise<void>;
}

/** Longest wait for one connection to be made. */
const connectLimitMs = 10_000;
/**
 * A server that was reached before may be restarting: the embedded one is back within two seconds, others in a minute.
 */
const defaultReconnectLimitMs = 30_000;
const defaultAttempts = 5;
/** Of a statement outside transactions. */
const queryAttempts = 3;

/**
 * Set on every connection. Only functions and foreign keys keep their plans: planning the check of a foreign key anew
 * for each row takes longer than the check. Statements have no names, because one planned while its table was empty
 * would keep its bad plan (12 ms a batch instead of 4). Compiling statements (`jit`, on by default) takes longer than
 * running them: a later night of 30,000 products costs the server 8.6 s instead of 2.3. UTC makes casts to dates the
 * same everywhere. A transaction left idle holds back vacuum. The others are PostgreSQL's own defaults: a database or a
 * role may have its own, by which values would be written or read otherwise.
 */
const sessionSettings = `
  set plan_cache_mode = auto;
  set jit = off;
  set TimeZone = 'UTC';
  set DateStyle = 'ISO, MDY';
  set IntervalStyle = 'postgres';
  set bytea_output = 'hex';
  set extra_float_digits = 1;
  set standard_conforming_strings = on;
  set default_transaction_isolation = 'read committed';
  set idle_in_transaction_session_timeout = '120s'`;

/** Opens a pool; connects on first use. */
export function createDatabase(options: DatabaseOptions): Database {
  const { url, applicationName, max = 10, session = '', log = silentLog } = options;
  const { reconnectLimitMs = defaultReconnectLimitMs } = options;
  const pool = new pg.Pool({
    connectionString: url,
    application_name: applicationName,
    max,
    keepAlive: true,
    idleTimeoutMillis: 30_000,
    types: valueTypes,
    Client: TimedClient,
    // A statement, as PgBouncer refuses settings that come with the connection.
    onConnect: async (client) => void (await client.query(`${sessionSettings};${session}`)),
  });
  const errors = limitErrors(log);
  // Without a listener the loss of an idle connection ends the process. The pool has dropped it already. A pool that
  // ends does not wait for its connections' farewells, so the server's own end may overtake them.
  pool.on('error', (error) => {
    if (!pool.ending) errors.met(error, 'lost an idle connection to PostgreSQL');
  });
  pool.on('connect', surviveBreaking);
  let wasReached = false;

  return {
    url,
    pool,
    orm: ormOver((statement, values) => ask(statement.text, (client) => client.query(statement, values))),
    query: (text, values) => ask(text, (client) => client.query(text, values as unknown[])),
    tx,
    withClient,
    end: () => pool.end(),
  };

  /**
   * A statement that a broken connection cut off is asked again on another one, unless it may have changed something.
   */
  async function ask<Result>(text: string, run: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await withClient(run);
      } catch (error) {
        const mayAskAgain = wasReached && isWorthWaiting(error) && (wasSurelyUndone(error) || onlyReads(text));
        if (!mayAskAgain || attempt === queryAttempts) throw error;
        // The pool hears meanwhile which of its other connections broke.
        await sleep(backoffMs(attempt, 1_000));
      }
    }
  }

  async function withClient<Result>(use: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await connect();
    let failure: unknown;
    // If a connection breaks between two statements, no query reports it.
    const onError = (error: Error) => {
      failure = error;
    };
    client.on('error', onError);
    try {
      return await use(client);
    } catch (error) {
      if (isConnectionError(error)) failure = error;
      throw asServerError(error);
    } finally {
      client.off('error', onError);
      client.release(failure !== undefined);
    }
  }

  async function connect(): Promise<pg.PoolClient> {
    const deadline = performance.now() + (wasReached ? reconnectLimitMs : 0);
    for (let attempt = 0; ; attempt++) {
      try {
        const client = await pool.connect();
        wasReached = true;
        return client;
      } catch (error) {
        if (!isWorthWaiting(error) || performance.now() > deadline) throw asServerError(error);
        await sleep(backoffMs(attempt, 1_000));
      }
    }
  }

  async function tx<Result>(
    run: (tx: Transaction) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      // A connection lost in between has certainly rolled back.
      let isBegun = false;
      let isCommitSent = false;
      try {
        return await withClient(async (client) => {
          isBegun = true;
          await client.query(beginning(options));
          try {
            const result = await run(transactionOn(client));
            isCommitSent = true;
            await commit(client);
            return result;
          } catch (error) {
            if (!isConnectionError(error)) await client.query('rollback');
            throw error;
          }
        });
      } catch (error) {
        const mayRunAgain = isTransient(error) || (isBegun && !isCommitSent && isWorthWaiting(error));
        if (!mayRunAgain || attempt >= (options.attempts ?? defaultAttempts)) throw error;
        await sleep(backoffMs(attempt, 1_000));
      }
    }
  }
}

/** The pool's own time limit would also count waiting for a free connection, which is no sign of trouble. */
class TimedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(typeof config === 'string' ? config : { ...config, connectionTimeoutMillis: connectLimitMs });
  }
}

/** Functions that write are named, too. */
function onlyReads(statement: string): boolean {
  return (
    /^\s*(?:select|with)\b/i.test(statement) &&
    !/\b(?:insert|update|delete|merge|nextval|setval|reserve)\b/i.test(statement)
  );
}

function transactionOn(client: pg.PoolClient): Transaction {
  return {
    client,
    orm: ormOver((statement, values) => client.query(statement, values)),
    query: (text, values) => client.query(text, values as unknown[]),
  };
}

/** PostgreSQL answers the commit of a failed transaction with ROLLBACK, and no error. */
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('commit');
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back: a statement in it failed unnoticed');
}

function beginning(options: TransactionOptions): string {
  const { isolation, readOnly, lockTimeoutMs, idleTimeoutMs } = options;
  const begin = ['begin', isolation && `isolation level ${isolation}`, readOnly && 'read only']
    .filter(Boolean)
    .join(' ');
  const limits = [
    lockTimeoutMs !== undefined && `set local lock_timeout = ${Math.trunc(lockTimeoutMs)}`,
    idleTimeoutMs !== undefined && `set local idle_in_transaction_session_timeout = ${Math.trunc(idleTimeoutMs)}`,
  ].filter(Boolean);
  return [begin, ...limits].join('; ');
}

/** Full jitter, so that those who collided do not collide again. */
function backoffMs(attempt: number, most: number): number {
  return Math.random() * Math.min(most, 20 * 2 ** attempt);
}

/** A database whose transactions are parts of an open one. */
export function within(db: Database, tx: Transaction): Database {
  return {
    ...db,
    orm: tx.orm,
    query: (text, values) => tx.query(text, values),
    tx: (run) => run(tx),
    withClient: (use) => use(tx.client),
  };
}
