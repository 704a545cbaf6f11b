import type pg from 'pg';
import type { Database } from './client.ts';
import { asServerError } from './connection-error.ts';

interface Listener {
  onNotice(payload: string): void;
  /** The connection was lost, with its session locks. */
  onLost(error: Error): void;
}

/** Listens on a channel while `use` runs. Session locks that `use` takes on the connection end with it. */
export function listen<Result>(
  db: Database,
  channel: string,
  { onNotice, onLost }: Listener,
  use: (connection: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  return db.withClient(async (connection) => {
    const onNotification = ({ payload = '' }: { payload?: string | undefined }) => onNotice(payload);
    const onError = (error: Error) => onLost(asServerError(error) as Error);
    connection.on('notification', onNotification);
    connection.on('error', onError);
    try {
      await connection.query(`listen ${channel}`);
      return await use(connection);
    } finally {
      connection.off('notification', onNotification);
      connection.off('error', onError);
      await connection.query('unlisten *; select pg_advisory_unlock_all()').catch(() => undefined);
    }
  });
}
