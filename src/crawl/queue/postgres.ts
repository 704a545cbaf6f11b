import { setTimeout as sleep } from 'node:timers/promises';
import {
  assertSchemaCompatibility,
  DEFAULT_SCHEMA,
  LATEST_SCHEMA_VERSION,
  PostgresConnection,
  PostgresQueueBackend,
  runMigrations,
  withBackend,
} from 'bullmq';
import type pg from 'pg';
import { ConfigInvalid } from '../../base/errors.ts';
import type { LimitedErrors } from '../../base/limited-lines.ts';
import { asServerError, isConnectionError, isTransient } from '../../db/connection-error.ts';

/** Database schema that holds the queues. BullMQ uses this name for any pool that it did not create itself. */
const schema = DEFAULT_SCHEMA;

/**
 * Session settings of the queue's connections, set by a statement because PgBouncer refuses them as connection
 * parameters. BullMQ's statements name no schema. A commit does not wait for the disk: jobs that a crash of the server
 * loses are queued again from the ledger.
 */
export const queueSession = `set search_path = ${schema}; set synchronous_commit = off`;

/** Connections of the queue: one listens, the others run statements of all queues and workers of the process. */
export const queueConnections = 3;

/** Covers a server restart, which takes up to two seconds. */
const addAttempts = 6;
const firstAddRestMs = 50;

/** A pool whose connections use `queueSession`. */
export interface QueueDatabase {
  readonly pool: pg.Pool;
  withClient<Result>(use: (client: pg.PoolClient) => Promise<Result>): Promise<Result>;
  end(): Promise<void>;
}

/** BullMQ's classes on one shared connection object. */
interface OpenPostgres {
  readonly classes: ReturnType<typeof withBackend>;
  /** Recreates the schema if `error` means that it was dropped; returns whether it did. */
  recover(error: unknown): Promise<boolean>;
  /** Repeats what a lost connection, a deadlock or a lost schema cut off. */
  retried(add: () => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates the schema if it is missing. Throws `ConfigInvalid` if the user lacks the right, `ServerUnreachable` if the
 * server does not answer.
 */
export async function openPostgres(database: QueueDatabase, errors: LimitedErrors): Promise<OpenPostgres> {
  database.pool.on('connect', (client) => {
    // Each waiting worker adds a listener.
    client.setMaxListeners(0);
  });
  await makeSchema(database);
  // BullMQ would open a listening connection for each worker.
  const connection = new SharedConnection(database.pool as never);
  connection.on('error', (error) => errors.met(error, 'a queue connection was lost'));
  // A failed initialisation is permanent, so it is done before any queue or worker uses the connection.
  await connection.waitUntilReady();

  const backends = new Set<PostgresQueueBackend>();
  // Each backend must listen again on the new connection. BullMQ does this only if the backend owns its connection.
  connection.on('listenerinvalidated', async () => {
    for (const backend of backends) {
      await backend.disconnectBlocking();
      await backend.reconnectBlocking();
    }
  });

  let making: Promise<void> | null = null;
  const recover = async (error: unknown): Promise<boolean> => {
    if (!isSchemaGone(error)) return false;
    making ??= makeSchema(database).finally(() => {
      making = null;
    });
    await making;
    return true;
  };
  return {
    classes: withBackend((name, options) => {
      const backend = new PostgresQueueBackend(connection, name, options as never, false);
      backends.add(backend);
      return backend;
    }),
    recover,
    async retried(add) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          await add();
          return;
        } catch (error) {
          const mayRepeat = isConnectionError(error) || isTransient(error) || (await recover(error).catch(() => false));
          if (!mayRepeat || attempt === addAttempts) throw asServerError(error);
          await sleep(firstAddRestMs * 2 ** attempt);
        }
      }
    },
    async close() {
      await connection.close();
      await database.end();
    },
  };
}

type ListenClient = Awaited<ReturnType<PostgresConnection['getListenClient']>>;

/**
 * A pool plus one connection on which all queues and workers listen. Each LISTEN is sent once, because pg runs
 * statements one at a time.
 */
class SharedConnection extends PostgresConnection {
  private readonly sent = new WeakMap<ListenClient, Map<string, Promise<unknown>>>();

  override async getListenClient(): Promise<ListenClient> {
    const client = await super.getListenClient();
    const sent = this.sent.get(client) ?? new Map<string, Promise<unknown>>();
    this.sent.set(client, sent);
    const query = (statement: string) => {
      const answer = sent.get(statement) ?? client.query(statement);
      sent.set(statement, answer);
      return answer;
    };
    return {
      query,
      on: client.on.bind(client),
      removeListener: client.removeListener.bind(client),
      removeAllListeners: client.removeAllListeners.bind(client),
    } as ListenClient;
  }
}

/** Attempts to create the schema in case it is dropped concurrently. */
const makeAttempts = 5;

/**
 * SQL: lock held while the schema is created. BullMQ's own lock is not enough: another process may not see the new
 * schema yet, and both would revoke rights at the same time.
 */
const makingLock = `hashtext('pricebook queue schema')`;

async function makeSchema(database: QueueDatabase): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.withClient(async (client) => {
        if ((await schemaVersion(client)) >= LATEST_SCHEMA_VERSION) return;
        await client.query(`select pg_advisory_lock(${makingLock})`);
        try {
          await runMigrations(client, schema);
          await client.query(`revoke all on all functions in schema ${schema} from public`);
        } finally {
          // A broken connection has released its locks already.
          await client.query(`select pg_advisory_unlock(${makingLock})`).catch(() => undefined);
        }
      });
    } catch (error) {
      if ((error as { code?: string }).code === '42501')
        throw new ConfigInvalid([notAllowed((error as Error).message)]);
      if (attempt === makeAttempts || !isSchemaGone(error)) throw error;
    }
  }
}

/**
 * Version of the schema; 0 if there is none. Checked before migrating, because migrations need the right to create a
 * schema even if it exists.
 */
async function schemaVersion(client: pg.PoolClient): Promise<number> {
  try {
    return await assertSchemaCompatibility(client, schema);
  } catch (error) {
    if (isSchemaGone(error)) return 0;
    throw error;
  }
}

const notAllowed = (why: string) =>
  `DATABASE_URL: its user may not set up the schema ${schema}, which holds the job queue (${why}); ` +
  'its owner can allow it: grant create on database … to …. If another role owns the schema, drop it first: ' +
  'jobs are queued again from the ledger. ' +
  'Or set REDIS_URL.';

/**
 * Whether the schema was dropped: 3F000 schema, 42P01 table, 42883 function; XX000 if a function was running at that
 * moment.
 */
function isSchemaGone(error: unknown): boolean {
  const { code = '', name, message = '' } = error as { code?: string; name?: string; message?: string };
  const wasDroppedMeanwhile = code === 'XX000' && /^(could not open relation|cache lookup failed)/.test(message);
  return ['3F000', '42P01', '42883'].includes(code) || wasDroppedMeanwhile || name === 'SchemaMigrationRequiredError';
}
