import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** When a run last read a page or product detail; its start if it has read none. */
export async function lastReadAt(sql: Queryable, runId: number): Promise<Date> {
  const [told] = await rowsOf<{ at: Date }>(
    sql,
    `select greatest(r.started_at,
       (select max(fetched_at) from ops.category_page where run_id = r.run_id),
       (select max(fetched_at) from ops.detail_fetch where run_id = r.run_id)) as at
     from ops.run r where r.run_id = $1`,
    [runId],
  );
  return told!.at;
}
