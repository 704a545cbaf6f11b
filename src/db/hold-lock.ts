import { setTimeout as sleep } from 'node:timers/promises';
import { ServerUnreachable } from '../base/errors.ts';
import type { Database } from './client.ts';

const retryMs = 200;

interface LockOptions {
  readonly signal?: AbortSignal;
  /** Called when another process has the lock; errors it throws are rethrown. */
  onTaken(): void;
}

/**
 * Runs `work` under a lock that only one process of a database can hold, waiting for it if necessary. The lock lives as
 * long as its connection: if that breaks, the signal of `work` is aborted, because another process may have the lock by
 * then, and the call rejects with `ServerUnreachable`.
 */
export async function holdLock<Result>(
  db: Database,
  name: string,
  work: (held: AbortSignal) => Promise<Result>,
  { signal, onTaken }: LockOptions,
): Promise<Result> {
  return db.withClient(async (client) => {
    const isMine = async () =>
      (await client.query('select where pg_try_advisory_lock(hashtext($1))', [name])).rowCount === 1;
    for (let times = 0; !(await isMine()); times++) {
      if (times === 0) onTaken();
      await sleep(retryMs, undefined, { signal });
    }
    const lost = new AbortController();
    const onLost = (cause?: Error) =>
      lost.abort(new ServerUnreachable('The PostgreSQL connection that held a lock', 'DATABASE_URL', { cause }));
    client.once('error', onLost).once('end', onLost);
    try {
      const result = await work(lost.signal);
      lost.signal.throwIfAborted();
      return result;
    } finally {
      client.off('error', onLost).off('end', onLost);
      await client.query('select pg_advisory_unlock(hashtext($1))', [name]).catch(() => undefined);
    }
  });
}
