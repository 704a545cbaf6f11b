import type { Database } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';

/** Published runs whose pages keep what they saw, and how many of those before them are looked through each night. */
const [runsKept, runsSearched] = [3, 8];

/**
 * Evidence of the last few published runs of a run's region is kept; of older ones the catalogue's history has all that
 * counts. After a publication or a replay, which does not wait for it: what a crash leaves goes with the next one.
 */
export async function forgetSeenKeys(db: Database, runId: number): Promise<void> {
  const runs = await rowsOf<{ runId: number }>(
    db,
    `select run_id as "runId" from ops.run
     where region = (select region from ops.run where run_id = $1) and status = 'published'
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
