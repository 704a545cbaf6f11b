import type { Database } from '../../db/client.ts';
import { move } from './run-life.ts';

/**
 * Gives up what is left to do of a run that waits, so that it ends with what it read: it is finishing then, and
 * repaired no more. One that read no page, or that failed too often, is expired. Null when it does not wait any longer,
 * or is finishing.
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
        `update ops.${table} set status = 'failed', worker_id = null, error = $2 where run_id = $1 and status = 'planned'`,
        [runId, why],
      );
    }
    return isExpired ? 'expired' : 'finishing';
  });
}

interface Reason {
  readonly why: string;
  readonly now: Date;
  /** Whether the caller can finish a run that read something; false: such a run is left as it is. */
  readonly finishes?: boolean;
}
