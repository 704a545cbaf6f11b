import type { Askable } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';

/** A category that a run did not read, because the limits did not reach. */
export interface DeferredEvidence {
  readonly path: string;
  /** Night on which it was last read whole; null: never. */
  readonly lastReadOn: string | null;
  /** Its first page was asked for, to know how many there are. Certificates of earlier versions do not say. */
  readonly isLookedAt?: boolean;
}

/** The categories that the run left for another night, those unread longest first. */
export async function readDeferred(
  tx: Askable,
  runId: number,
): Promise<(DeferredEvidence & { readonly categoryNo: number })[]> {
  return rowsOf(
    tx,
    `select coalesce(s.category_no, 0) as "categoryNo", coalesce(s.path, d.category_id) as path, d.last_read_on::text as "lastReadOn",
       exists (select from ops.category_crawl c where c.run_id = $1 and c.category_no = s.category_no) as "isLookedAt"
     from ops.category_deferred d left join stage.category s using (run_id, category_id)
     where d.run_id = $1 order by d.last_read_on nulls first, path`,
    [runId],
  );
}
