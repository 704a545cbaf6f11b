import type { Queryable } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';

/** A category that a run deferred because of its limits. */
export interface DeferredEvidence {
  readonly path: string;
  /** Last night that read it completely; null: never. */
  readonly lastReadOn: string | null;
  /** Whether its first page was read to learn its size. */
  readonly isLookedAt: boolean;
}

/** Categories that the run deferred, longest unread first. */
export async function readDeferred(
  tx: Queryable,
  runId: number,
): Promise<(DeferredEvidence & { readonly categoryNo: number })[]> {
  return rowsOf(
    tx,
    `select coalesce(s.category_no, 0) as "categoryNo", coalesce(s.path, d.category_id) as path,
       d.last_read_on::text as "lastReadOn",
       exists (select from ops.category_crawl c where c.run_id = $1 and c.category_no = s.category_no) as "isLookedAt"
     from ops.category_deferred d left join stage.category s using (run_id, category_id)
     where d.run_id = $1 order by d.last_read_on nulls first, path`,
    [runId],
  );
}
