import type { Queryable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { maxPageAttempts } from './ledger/pages.ts';

/**
 * Number of categories whose first page is checked before other pages are requested. With a second attempt each, that
 * is fewer than 20 requests.
 */
const pagesLookedAt = 8;

/** Progress of a run with the first pages of its categories. */
interface FirstPages {
  /** Number of the last category whose first page is checked; null if the run has no pages. */
  readonly lastCategory: number | null;
  /** Whether some of these pages are neither read nor failed. */
  readonly anyLeft: boolean;
  /** Whether no other page has been claimed yet. */
  readonly isNow: boolean;
  /** One error message if none of these pages could be read although the upstream answered; otherwise null. */
  readonly noneReadFor: string | null;
}

export async function readFirstPages(sql: Queryable, runId: number): Promise<FirstPages> {
  const [pages] = await rowsOf<FirstPages>(
    sql,
    `with first as materialized (
       select category_no, status, attempts, error from ops.category_page
       where run_id = $1 and page_no = 1 and reading = 1 order by category_no limit $2
     )
     select max(category_no) as "lastCategory", coalesce(bool_or(status = 'planned'), false) as "anyLeft",
       not exists (
         select from ops.category_page
         where run_id = $1 and (status <> 'planned' or lease > 0)
           and not (page_no = 1 and reading = 1 and category_no <= (select max(category_no) from first))
       ) as "isNow",
       -- Fewer attempts than the maximum mean that the upstream answered; an outage uses all attempts.
       case when bool_and(status = 'failed' and attempts < $3) then max(error) end as "noneReadFor"
     from first`,
    [runId, pagesLookedAt, maxPageAttempts],
  );
  return pages!;
}
