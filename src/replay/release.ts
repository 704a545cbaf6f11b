import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';

/** A person vouched for a run that was held back by a check, or was published with a partial certificate. */
export interface Release {
  readonly from: 'held' | 'partial';
  readonly why: string;
}

const released = 'released by a person: ';

/** How the run was released; null when it was not. */
export async function releaseOf(sql: Askable, runId: number): Promise<Release | null> {
  const [row] = await rowsOf<{ reason: string; wasHeld: boolean }>(
    sql,
    `select reason, exists (select from ops.finding f where f.run_id = $1 and f.severity = 'block') as "wasHeld"
     from ops.certificate c cross join lateral unnest(c.reasons) as reason
     where c.run_id = $1 and c.verdict = 'complete_within_tolerance' and reason like $2`,
    [runId, `${released}%`],
  );
  return row ? { from: row.wasHeld ? 'held' : 'partial', why: row.reason.slice(released.length) } : null;
}
