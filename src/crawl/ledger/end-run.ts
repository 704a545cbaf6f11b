import { RunRefused } from '../../base/errors.ts';
import type { Database, Transaction } from '../../db/client.ts';
import { move } from './run-life.ts';
import type { Run, Runs } from './runs.ts';

/** Error stored on pages and details that were still unread. */
export const unreadAsAbandoned = 'the run was abandoned';

/**
 * Abandons an open or held run at a user's request. Only its requests and received payloads are kept; later writes by
 * its workers have no effect. Throws `RunRefused` if the run is over.
 */
export async function abandonRun(
  { db, runs }: { readonly db: Database; readonly runs: Pick<Runs, 'byId'> },
  runId: number,
  now: Date,
): Promise<Run> {
  const run = await runs.byId(runId);
  await db.tx(async (tx) => {
    if (!(await move(tx, 'abandon', { runId }, { finishedAt: now }))) {
      // The run may have ended since it was looked up.
      const { region, snapshotDate, status } = await runs.byId(runId, tx);
      throw new RunRefused(
        `Run ${runId} of ${region} ${snapshotDate} is already over (${status}); there is nothing to abandon.`,
      );
    }
    await failUnread(tx, runId, unreadAsAbandoned);
  });
  return run;
}

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
    await failUnread(tx, runId, why);
    return isExpired ? 'expired' : 'finishing';
  });
}

interface Reason {
  readonly why: string;
  readonly now: Date;
  /** Whether the caller can finish a run that has read pages; if false, such a run is left as it is. */
  readonly finishes?: boolean;
}

async function failUnread(tx: Transaction, runId: number, why: string): Promise<void> {
  for (const table of ['category_page', 'detail_fetch']) {
    await tx.query(
      `update ops.${table} set status = 'failed', worker_id = null, error = $2
       where run_id = $1 and status = 'planned'`,
      [runId, why],
    );
  }
}
