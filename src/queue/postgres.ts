import { setTimeout as sleep } from 'node:timers/promises';
import { runMigrations } from 'bullmq';
import pg from 'pg';
import { ConfigInvalid, ServerUnreachable } from '../errors.ts';
import type { Outage } from '../outage.ts';

/** Connections to the database of the queues, with their schema in it. */
export interface OpenPostgres {
  readonly pool: pg.Pool;
  /** Makes the schema again; also for one that somebody dropped. */
  makeSchema(): Promise<void>;
  /** Ends all connections, also those that nobody gives back. */
  close(): Promise<void>;
}

/** Connections that were not given back so long after everything was closed never are: a worker closed while it began keeps its own. */
const mostGivingBackMs = 1_000;

/** Throws `ServerUnreachable` when the database does not answer, `ConfigInvalid` when a pooler does in its place. */
export async function openPostgres(url: string, outage: Outage, maxWorkers: number): Promise<OpenPostgres> {
  // Each worker keeps one connection to listen on.
  const pool = new pg.Pool({
    connectionString: url,
    max: maxWorkers + 6,
    keepAlive: true,
    application_name: 'pricebook queue',
    options: '-c search_path=bullmq',
  });
  pool.on('error', (error) => {
    if (!pool.ending) outage.met(error, 'lost a connection of the queue');
  });
  // One that breaks while it is handed over has no listener yet, and would end the process.
  const open = new Set<pg.PoolClient>();
  pool.on('connect', (client) => {
    open.add(client);
    client.on('error', () => undefined);
    outage.ended();
  });
  pool.on('remove', (client) => open.delete(client));
  // Each queue and worker listens to the pool for errors.
  pool.setMaxListeners(0);
  const makeSchema = async () => {
    for (let left = 5; ; left -= 1) {
      const client = await pool.connect();
      try {
        await runMigrations(client, 'bullmq');
        return client.release();
      } catch (error) {
        // Whatever it was in the middle of.
        client.release(true);
        // Dropped while it was made.
        if (left === 0 || !isSchemaGone(error)) throw error;
      }
    }
  };
  const close = async () => {
    const ended = pool.end().then(() => true);
    if (await Promise.race([ended, sleep(mostGivingBackMs, false, { ref: false })])) return;
    for (const client of open) (async () => (client as unknown as pg.Client).end())().catch(() => undefined);
  };
  try {
    await makeSchema();
  } catch (cause) {
    await pool.end();
    throw isPooler(cause) ? new ConfigInvalid([pooled]) : unreachable(cause);
  }
  return { pool, makeSchema, close };
}

const pooled =
  'QUEUE_DATABASE_URL: leads through a connection pooler (PgBouncer), which refuses the settings of its connections, and workers would not hear of jobs. Connect to PostgreSQL itself';

/** PgBouncer alone says so, whatever its pool_mode is. */
function isPooler(error: unknown): boolean {
  return /^unsupported startup parameter/.test((error as Error).message ?? '');
}

export const unreachable = (cause: unknown): ServerUnreachable =>
  new ServerUnreachable("The queue's PostgreSQL database", 'QUEUE_DATABASE_URL', { cause });

/** Somebody dropped what the queue lives in: 3F000 schema, 42P01 table, 42883 function; XX000 when a function was running just then. */
export function isSchemaGone(error: unknown): boolean {
  const { code = '', name, message = '' } = error as { code?: string; name?: string; message?: string };
  const isUnderOurHands = code === 'XX000' && /^(could not open relation|cache lookup failed)/.test(message);
  return ['3F000', '42P01', '42883'].includes(code) || isUnderOurHands || name === 'SchemaMigrationRequiredError';
}
