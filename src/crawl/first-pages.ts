import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { maxPageAttempts } from './ledger/pages.ts';

/**
 * First pages of categories that are looked at before more is asked: with a second try of each, fewer than 20 requests.
 */
const pagesLookedAt = 8;

/** How far a run is with the first pages of its categories. */
interface FirstPages {
  /** The last category of which the first page is looked at; null: the run has no pages. */
  readonly lastCategory: number | null;
  /** Some of them are neither read nor given up. */
  readonly anyLeft: boolean;
  /** Nothing beyond them was claimed so far. */
  readonly isNow: boolean;
  /**
   * Why none of them could be read, in the words of one, although the upstream answered each; null: it is otherwise.
   */
  readonly noneReadFor: string | null;
}

export async function readFirstPages(sql: Askable, runId: number): Promise<FirstPages> {
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
       -- Whatever is asked for once or twice was answered; an upstream that is away is waited for.
       case when bool_and(status = 'failed' and attempts < $3) then max(error) end as "noneReadFor"
     from first`,
    [runId, pagesLookedAt, maxPageAttempts],
  );
  return pages!;
}
