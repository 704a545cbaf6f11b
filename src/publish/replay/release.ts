import type { Askable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** A person released a run that was held back by a check, or was published with a partial certificate. */
export interface Release {
  readonly from: 'held' | 'published';
  readonly why: string;
}

/** How the run was released; null when it was not. */
export async function releaseOf(sql: Askable, runId: number): Promise<Release | null> {
  const [release] = await rowsOf<Release>(
    sql,
    `select released_from as "from", released_because as why from ops.certificate
     where run_id = $1 and released_because is not null`,
    [runId],
  );
  return release ?? null;
}
