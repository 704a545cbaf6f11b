import type { Database } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';

/**
 * Gives up what is left to do of a run that waits, so that it ends with what it read: it is finishing then, and mended no
 * more (`repairRounds`, the most there are). One that read no page has nothing to end with and is abandoned. Null when it
 * does not wait any longer.
 */
export async function expire(
  db: Database,
  { runId, why, repairRounds, now }: { runId: number; why: string; repairRounds: number; now: Date },
): Promise<'finishing' | 'abandoned' | null> {
  return db.tx(async (tx) => {
    const [run] = await rowsOf<{ hasRead: boolean }>(
      tx,
      `select exists (select from ops.category_page p where p.run_id = r.run_id and p.status = 'done') as "hasRead"
       from ops.run r where run_id = $1 and status = 'open' and phase <> 'finishing' and paused_for is not null for update`,
      [runId],
    );
    if (!run) return null;
    for (const table of ['category_page', 'detail_fetch']) {
      await tx.query(
        `update ops.${table} set status = 'failed', worker_id = null, error = $2 where run_id = $1 and status = 'planned'`,
        [runId, why],
      );
    }
    await tx.query(
      run.hasRead
        ? `update ops.run set phase = 'finishing', repair_rounds = $2, paused_for = null, paused_until = null where run_id = $1`
        : `update ops.run set phase = 'over', status = 'abandoned', repair_rounds = $2, finished_at = $3 where run_id = $1`,
      run.hasRead ? [runId, repairRounds] : [runId, repairRounds, now],
    );
    return run.hasRead ? 'finishing' : 'abandoned';
  });
}
