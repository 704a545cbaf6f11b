import { RunRefused } from '../../base/errors.ts';
import type { Database } from '../../db/client.ts';

/** One replay at a time: all of them work in the same schemas. */
export async function alone<Result>(db: Database, work: () => Promise<Result>): Promise<Result> {
  return db.withClient(async (client) => {
    const { rows } = await client.query<{ isMine: boolean }>(
      `select pg_try_advisory_lock(hashtext('pricebook replay')) as "isMine"`,
    );
    if (!rows[0]?.isMine) throw new RunRefused('Another replay is at work. Let it end first; nothing was changed.');
    try {
      return await work();
    } finally {
      await client.query(`select pg_advisory_unlock(hashtext('pricebook replay'))`).catch(() => undefined);
    }
  });
}
