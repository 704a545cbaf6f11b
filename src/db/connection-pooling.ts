import type pg from 'pg';
import { ConfigInvalid } from '../base/errors.ts';
import type { Database } from './client.ts';

/**
 * Throws `ConfigInvalid` if a pooler such as PgBouncer assigns server connections per transaction or statement:
 * advisory locks, session settings, LISTEN and temporary tables would be lost between statements. Direct connections
 * and session pooling pass.
 */
export async function refuseTransactionPooling(db: Pick<Database, 'withClient'>): Promise<void> {
  await db.withClient(async (one) => {
    // A pooler reports a process number of its own when connecting; pg keeps it for cancellation.
    if ((await backendOf(one)) === (one as unknown as { readonly processID: number }).processID) return;
    await db.withClient(async (other) => {
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
    return (await backendOf(other)) === first || (await backendOf(one)) !== first;
  } catch {
    // Refused in statement mode.
    return true;
  } finally {
    await other.query('rollback');
  }
}

async function backendOf(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}
