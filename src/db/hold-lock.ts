import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './client.ts';

const askAgainMs = 200;

interface LockOptions {
  readonly signal?: AbortSignal;
  /** Called when another process has the lock; errors it throws are rethrown. */
  onTaken(): void;
}

/**
 * Runs `work` under a lock that only one process of a database can hold, waiting for it if necessary. A process that
 * dies releases it with its connection.
 */
export async function holdLock<Result>(
  db: Database,
  name: string,
  work: () => Promise<Result>,
  { signal, onTaken }: LockOptions,
): Promise<Result> {
  return db.withClient(async (client) => {
    const isMine = async () => {
      const { rows } = await client.query<{ isMine: boolean }>(
        'select pg_try_advisory_lock(hashtext($1)) as "isMine"',
        [name],
      );
      return rows[0]!.isMine;
    };
    for (let times = 0; !(await isMine()); times++) {
      if (times === 0) onTaken();
      await sleep(askAgainMs, undefined, { signal });
    }
    try {
      return await work();
    } finally {
      await client.query('select pg_advisory_unlock(hashtext($1))', [name]).catch(() => undefined);
    }
  });
}
