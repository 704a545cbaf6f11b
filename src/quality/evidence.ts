import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { defaultPageSize } from '../plan/paging.ts';

/** What the ledger knows of a walked category, those that were walked below it to repair it included. */
export interface CategoryEvidence {
  readonly categoryNo: number;
  readonly path: string;
  readonly declaredFirst: number | null;
  readonly declaredLast: number | null;
  readonly pagesPlanned: number;
  readonly pagesDone: number;
  readonly pagesFailed: number;
  /** Within the declared total; without one all of them, and those that only repeat earlier pages. */
  readonly pagesEmpty: number;
  readonly itemsReceived: number;
  readonly rejected: number;
  /** Distinct products on its pages and on those below it. */
  readonly distinctSeen: number;
  /** The frontier category it helps to cover; its own number for the frontier itself. */
  readonly rootNo: number;
  readonly repairs: number;
  readonly isDescended: boolean;
}

/** The evidence of a run, a row a walked category; also noted in `ops.category_crawl`. */
export async function gatherEvidence(sql: Askable, runId: number): Promise<CategoryEvidence[]> {
  return rowsOf<CategoryEvidence>(
    sql,
    `with recursive above (category_no, over_no) as (
       select category_no, category_no from ops.category_crawl where run_id = $1
       union all
       select a.category_no, s.parent_no
       from above a join stage.category s on s.run_id = $1 and s.category_no = a.over_no
       where s.parent_no is not null
     ), walked as (
       select p.*, c.declared_last is null or p.page_no <= ceil(c.declared_last::numeric / coalesce(c.results_per_page, $2)) as is_within
       from ops.category_page p join ops.category_crawl c using (run_id, category_no)
       where p.run_id = $1
     ), page as (
       select category_no, page_no, bool_or(status = 'done') as is_done, bool_or(status = 'planned') as is_open,
              coalesce(max(items_received), 0) as items, coalesce(max(rejected), 0) as rejected, bool_or(is_within) as is_within
       from walked group by category_no, page_no
     ), open_ended as (
       select category_no from ops.category_crawl where run_id = $1 and declared_last is null
     ), first_sighting as (
       select distinct on (category_no, product) category_no, page_no
       from (
         select category_no, page_no, 'key ' || seen.product_key as product
         from walked join open_ended using (category_no) cross join lateral unnest(seen_keys) as seen (product_key)
         union all
         select category_no, page_no, coalesce('key ' || product_key, product_id)
         from stage.listing join open_ended using (category_no) where run_id = $1
       ) as sighting
       order by category_no, product, page_no
     ), repeating as (
       select category_no, page_no from page join open_ended using (category_no) where page_no > 1
       except select category_no, page_no from first_sighting
     ), pages as (
       select over_no, count(*)::int as planned, (count(*) filter (where is_done))::int as done,
              (count(*) filter (where not is_done and not is_open))::int as failed,
              (count(*) filter (where is_done and is_within and (items = 0 or repeating.page_no is not null)))::int as empty,
              sum(items)::int as items, sum(rejected)::int as rejected
       from page left join repeating using (category_no, page_no) join above using (category_no) group by over_no
     ), sighted as (
       select category_no, seen.product_key, null as product_id from walked cross join lateral unnest(seen_keys) as seen (product_key)
       union all
       select category_no, product_key, case when product_key is null then product_id end from stage.listing where run_id = $1
     ), distinct_seen as (
       select over_no, (count(distinct product_key) + count(distinct product_id))::int as products
       from sighted join above using (category_no) group by over_no
     ), noted as (
       update ops.category_crawl c set distinct_seen = coalesce(d.products, 0)
       from pages left join distinct_seen d using (over_no)
       where c.run_id = $1 and c.category_no = pages.over_no
     )
     select c.category_no as "categoryNo", coalesce(s.path, c.category_id) as path, c.declared_first as "declaredFirst",
            c.declared_last as "declaredLast", pages.planned as "pagesPlanned", pages.done as "pagesDone", pages.failed as "pagesFailed",
            pages.empty as "pagesEmpty", pages.items as "itemsReceived", pages.rejected, coalesce(d.products, 0) as "distinctSeen",
            c.root_no as "rootNo", c.repairs, c.is_descended as "isDescended"
     from ops.category_crawl c
     join pages on pages.over_no = c.category_no
     left join distinct_seen d on d.over_no = c.category_no
     left join stage.category s on s.run_id = c.run_id and s.category_no = c.category_no
     where c.run_id = $1
     order by c.category_no`,
    [runId, defaultPageSize],
  );
}
