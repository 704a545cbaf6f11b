import type pg from 'pg';
import { ConfigInvalid } from '../base/errors.ts';
import type { Database } from './client.ts';

/** Another process may take the connection in between; then it is looked at again. */
const mostLooks = 8;

/**
 * Throws `ConfigInvalid` when a pooler such as PgBouncer lends server connections by the transaction or statement:
 * advisory locks, session settings, LISTEN and temporary tables would be somebody else's by the next statement. A
 * connection that is ours from its beginning to its end, direct or pooled by the session, passes.
 */
export async function refuseTransactionPooling(db: Pick<Database, 'withClient'>): Promise<void> {
  await db.withClient(async (one) => {
    // A pooler greets with a process number of its own.
    if ((await backendOf(one)) === greetedBy(one)) return;
    await db.withClient(async (other) => {
      for (let look = 0; look < mostLooks; look += 1)
        if (await isShared(one, other)) throw new ConfigInvalid([refusal]);
    });
  });
}

const refusal =
  'DATABASE_URL: leads through a connection pooler in transaction or statement mode, which hands the connection to others between statements; locks, settings and temporary tables of a night would be lost. Connect to PostgreSQL itself, or set pool_mode = session for this database (PgBouncer)';

/** Whether two connections that are open at the same time are served by one process, or one of them by several. */
async function isShared(one: pg.PoolClient, other: pg.PoolClient): Promise<boolean> {
  const first = await backendOf(one);
  try {
    await other.query('begin');
  } catch {
    // Refused where connections are lent by the statement.
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

/** What the server said when the connection was made; pg keeps it for cancelling. */
function greetedBy(client: pg.PoolClient): number | null {
  return (client as unknown as { readonly processID?: number }).processID ?? null;
}
