import type { Askable } from '../db/client.ts';
import { countOf, rowsOf } from '../db/rows.ts';

/** Longer than any request takes: while one sees how things are, nobody else does. */
const trialMs = 90_000;

/**
 * The right to ask once on behalf of a run whose wait is over, to see whether what it waited for is: one of all processes
 * has it. Null when it is not our turn.
 */
export async function beginTrial(sql: Askable, runId: number, now: Date): Promise<Date | null> {
  const [trial] = await rowsOf<{ until: Date }>(
    sql,
    `update ops.run set paused_until = $2::timestamptz + $3::int * interval '1 ms'
     where run_id = $1 and status = 'open' and paused_for is not null and (paused_until is null or paused_until <= $2)
     returning paused_until as until`,
    [runId, now, trialMs],
  );
  return trial?.until ?? null;
}

/** The run goes on, unless the look it ends made it wait again; says whether it goes on. */
export async function endTrial(sql: Askable, runId: number, until: Date): Promise<boolean> {
  const resumed = await countOf(
    sql,
    `update ops.run set paused_for = null, paused_until = null
     where run_id = $1 and status = 'open' and paused_for is not null and paused_until = $2`,
    [runId, until],
  );
  return resumed > 0;
}
