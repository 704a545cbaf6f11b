import { RunRefused } from '../../base/errors.ts';
import type { Database } from '../../db/client.ts';
import { move } from './run-life.ts';
import type { Run, Runs } from './runs.ts';

/** What is noted of pages and details that were still to be read. */
export const unreadAsAbandoned = 'the run was abandoned';

/**
 * A person gives a run up, open or held: nothing of it is kept but what it asked and received. Work on it that is still
 * under way changes nothing any more. Throws `RunRefused` when it is over.
 */
export async function abandonRun(
  { db, runs }: { readonly db: Database; readonly runs: Pick<Runs, 'byId'> },
  runId: number,
  now: Date,
): Promise<Run> {
  const run = await runs.byId(runId);
  await db.tx(async (tx) => {
    if (!(await move(tx, 'abandon', { runId }, { finishedAt: now }))) {
      // It may have ended since it was looked up.
      const { region, snapshotDate, status } = await runs.byId(runId, tx);
      throw new RunRefused(
        `Run ${runId} of ${region} ${snapshotDate} is over (${status}); there is nothing to give up.`,
      );
    }
    for (const table of ['category_page', 'detail_fetch']) {
      await tx.query(
        `update ops.${table} set status = 'failed', worker_id = null, error = $2 where run_id = $1 and status = 'planned'`,
        [runId, unreadAsAbandoned],
      );
    }
  });
  return run;
}
