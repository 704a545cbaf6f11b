import type { Database } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';

/** Number of published runs whose pages keep their seen keys, and of older runs that are cleared per night. */
const [runsKept, runsSearched] = [3, 8];

/**
 * Deletes the seen keys of all but the last published runs in a run's region; the catalogue has the history of older
 * ones. Runs after a publication or replay; leftovers of a crash are deleted the next time.
 */
export async function forgetSeenKeys(db: Database, runId: number): Promise<void> {
  const runs = await rowsOf<{ runId: number }>(
    db,
    `select run_id as "runId" from ops.published_run
     where region = (select region from ops.run where run_id = $1)
     order by run_id desc offset $2 limit $3`,
    [runId, runsKept, runsSearched],
  );
  const old = runs.map((run) => run.runId);
  if (old.length === 0) return;
  await db.query(
    'update ops.category_page set seen_keys = null, extra_keys = null where seen_keys is not null and run_id = any($1)',
    [old],
  );
  await db.query('update ops.certificate set changed_keys = null where changed_keys is not null and run_id = any($1)', [
    old,
  ]);
}
