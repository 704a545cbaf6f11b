import type { Database } from '../../db/client.ts';
import { move } from './run-life.ts';

/**
 * Fails the remaining units of a paused run, so that it finishes with the pages it has read and is not repaired. A run
 * that has read no page or failed too often expires. Returns null if the run is no longer paused, or is finishing.
 */
export async function expireRun(
  db: Database,
  { runId, epoch }: { readonly runId: number; readonly epoch: number },
  { why, now, finishes = true }: Reason,
): Promise<'finishing' | 'expired' | null> {
  return db.tx(async (tx) => {
    const isExpired = await move(tx, finishes ? 'expire' : 'expireUnread', { runId, epoch }, { finishedAt: now });
    const isFinishing = !isExpired && finishes && (await move(tx, 'cutShort', { runId, epoch }));
    if (!isExpired && !isFinishing) return null;
    for (const table of ['category_page', 'detail_fetch']) {
      await tx.query(
        `update ops.${table} set status = 'failed', worker_id = null, error = $2
         where run_id = $1 and status = 'planned'`,
        [runId, why],
      );
    }
    return isExpired ? 'expired' : 'finishing';
  });
}

interface Reason {
  readonly why: string;
  readonly now: Date;
  /** Whether the caller can finish a run that has read pages; if false, such a run is left as it is. */
  readonly finishes?: boolean;
}
