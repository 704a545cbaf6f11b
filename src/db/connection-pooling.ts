import type pg from 'pg';
import { ConfigInvalid } from '../base/errors.ts';
import type { Database } from './client.ts';

/** Number of checks, because another process may take the connection in between. */
const mostLooks = 8;

/**
 * Throws `ConfigInvalid` if a pooler such as PgBouncer assigns server connections per transaction or statement:
 * advisory locks, session settings, LISTEN and temporary tables would be lost between statements. Direct connections
 * and session pooling pass.
 */
export async function refuseTransactionPooling(db: Pick<Database, 'withClient'>): Promise<void> {
  await db.withClient(async (one) => {
    // A pooler reports a process number of its own when connecting.
    if ((await backendOf(one)) === greetedBy(one)) return;
    await db.withClient(async (other) => {
      for (let look = 0; look < mostLooks; look += 1)
        if (await isShared(one, other)) throw new ConfigInvalid([refusal]);
    });
  });
}

const refusal =
  'DATABASE_URL: leads through a connection pooler in transaction or statement mode, which changes the connection ' +
  'between statements; locks, settings and temporary tables would be lost. Connect to PostgreSQL directly, or set ' +
  'pool_mode = session for this database (PgBouncer)';

/** Whether two open connections share one server process, or one of them changes its process. */
async function isShared(one: pg.PoolClient, other: pg.PoolClient): Promise<boolean> {
  const first = await backendOf(one);
  try {
    await other.query('begin');
  } catch {
    // Refused in statement mode.
    return true;
  }
  try {
    return (await backendOf(other)) === first || (await backendOf(one)) !== first;
  } finally {
    await other.query('rollback');
  }
}

async function backendOf(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}

/** Process number that the server sent when connecting; pg keeps it for cancellation. */
function greetedBy(client: pg.PoolClient): number | null {
  return (client as unknown as { readonly processID?: number }).processID ?? null;
}
