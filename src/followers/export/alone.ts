import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/client.ts';

const askAgainMs = 200;

/**
 * One export at a time from a database, wherever it goes: what one puts somewhere no other takes for left over. Waits
 * for its turn; a process that dies gives it up with its connection.
 */
export async function alone<Result>(
  db: Database,
  work: () => Promise<Result>,
  { signal, onWait }: { readonly signal: AbortSignal; onWait?: () => void },
): Promise<Result> {
  return db.withClient(async (client) => {
    const isMine = async () => {
      const { rows } = await client.query<{ isMine: boolean }>(
        `select pg_try_advisory_lock(hashtext('pricebook export')) as "isMine"`,
      );
      return rows[0]!.isMine;
    };
    for (let times = 0; !(await isMine()); times++) {
      if (times === 0) onWait?.();
      await sleep(askAgainMs, undefined, { signal });
    }
    try {
      return await work();
    } finally {
      await client.query(`select pg_advisory_unlock(hashtext('pricebook export'))`).catch(() => undefined);
    }
  });
}
