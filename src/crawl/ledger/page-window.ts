import type { Transaction } from '../../db/client.ts';

/**
 * Ends the paging of a category if two of its pages were refused and none behind them was answered: the pages behind
 * the first refused one are done, without products. What they would have shown is listed by the children. Other
 * categories and later runs learn nothing from it, because a refusal may have another reason.
 */
export async function endPaging(
  tx: Transaction,
  { runId, categoryNo, now }: { readonly runId: number; readonly categoryNo: number; readonly now: Date },
): Promise<void> {
  await tx.query(statement, [runId, categoryNo, now]);
}

/** A refused page is done, has no payload, and has an error. */
const statement = `
  with refused as (
    select min(page_no) as first from ops.category_page
    where run_id = $1 and category_no = $2 and status = 'done' and payload_sha256 is null and error is not null
    having count(distinct page_no) > 1
  )
  update ops.category_page p
  set status = 'done', error = 'refused: beyond page ' || refused.first - 1, items_received = 0, distinct_products = 0,
    rejected = 0, fetched_at = $3
  from refused
  where p.run_id = $1 and p.category_no = $2 and p.page_no > refused.first
    and p.status = 'planned' and p.worker_id is null
    and not exists (
      select from ops.category_page answered
      where answered.run_id = $1 and answered.category_no = $2 and answered.page_no > refused.first
        and answered.items_received > 0)`;
