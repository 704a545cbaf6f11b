import { RunRefused } from '../../base/errors.ts';
import type { Database } from '../../db/client.ts';
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
    for (const table of ['category_page', 'detail_fetch']) {
      await tx.query(
        `update ops.${table} set status = 'failed', worker_id = null, error = $2
         where run_id = $1 and status = 'planned'`,
        [runId, unreadAsAbandoned],
      );
    }
  });
  return run;
}
