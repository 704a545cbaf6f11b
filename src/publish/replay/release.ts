import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** A user's release of a held or partial run. */
export interface Release {
  readonly from: 'held' | 'published';
  readonly why: string;
}

/** The release of a run; null if there was none. */
export async function releaseOf(sql: Queryable, runId: number): Promise<Release | null> {
  const [release] = await rowsOf<Release>(
    sql,
    `select released_from as "from", released_because as why from ops.certificate
     where run_id = $1 and released_because is not null`,
    [runId],
  );
  return release ?? null;
}
