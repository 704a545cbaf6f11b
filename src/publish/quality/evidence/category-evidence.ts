import { pageSize } from '../../../crawl/ledger/page-size.ts';
import type { Queryable } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';

/** Evidence about a category that a run requested. */
export interface CategoryEvidence {
  readonly categoryNo: number;
  readonly categoryId: string;
  /** The frontier category that it helps to cover; a frontier category has its own number. */
  readonly rootNo: number;
  /** Its parent in the taxonomy. */
  readonly parentNo: number | null;
  readonly path: string;
  /** Whether only its first page was requested, to compare it with its parent's listing. */
  readonly isSample: boolean;
  readonly isDescended: boolean;
  readonly declaredFirst: number | null;
  readonly declaredLast: number | null;
  /** All totals it declared while it was read, ascending; several mean that the listing moved. */
  readonly totals: readonly number[];
  readonly pageSize: number;
  readonly pagesPlanned: number;
  readonly pagesDone: number;
  readonly pagesFailed: number;
  /**
   * Empty pages within the declared total; without a total, all empty pages and those that only repeat earlier ones.
   */
  readonly pagesEmpty: number;
  /** Readings of pages beyond the first. */
  readonly rereads: number;
  readonly repairs: number;
  readonly itemsReceived: number;
  /** Quarantined elements. */
  readonly rejected: number;
  /** Distinct products on its pages and those of categories below it, without advertisements. */
  readonly distinctSeen: number;
  /** Products beyond the regular places of its pages: probably advertisements on oversized pages. */
  readonly sponsored: number;
  /** Products on more than one of its pages. */
  readonly duplicates: number;
  /**
   * Products on its pages, beyond possible advertisements, that no category above it listed: proof that those fell
   * short.
   */
  readonly onlyHere: number;
}

/** Evidence of each category, ordered by number. Needs the tables of `collectObservations`. */
export async function readCategoryEvidence(tx: Queryable, runId: number): Promise<CategoryEvidence[]> {
  return rowsOf<CategoryEvidence>(tx, selectEvidence, [runId]);
}

/** Stores in the ledger how many products each category has. */
export async function noteDistinctSeen(
  tx: Queryable,
  runId: number,
  categories: readonly Pick<CategoryEvidence, 'categoryNo' | 'distinctSeen'>[],
): Promise<void> {
  await tx.query(
    `update ops.category_crawl c set distinct_seen = seen.products
     from unnest($2::int[], $3::int[]) as seen (category_no, products)
     where c.run_id = $1 and c.category_no = seen.category_no and c.distinct_seen is distinct from seen.products`,
    [runId, categories.map(({ categoryNo }) => categoryNo), categories.map(({ distinctSeen }) => distinctSeen)],
  );
}

/** One reading of a page, with the total under which it was read. */
interface PageReading {
  readonly categoryNo: number;
  readonly pageNo: number;
  readonly declaredTotal: number | null;
  /** Products and rejected elements. */
  readonly products: number;
  readonly rejected: number;
  readonly isDone: boolean;
}

/** All readings of the categories' pages, oldest first. */
export async function readReadings(
  tx: Queryable,
  runId: number,
  categoryNos: readonly number[],
): Promise<PageReading[]> {
  return rowsOf<PageReading>(
    tx,
    `select category_no as "categoryNo", page_no as "pageNo", declared_total as "declaredTotal",
            coalesce(distinct_products, 0) as products, coalesce(rejected, 0) as rejected, status = 'done' as "isDone"
     from ops.category_page where run_id = $1 and category_no = any($2)
     order by category_no, fetched_at nulls first, page_no`,
    [runId, categoryNos],
  );
}

/**
 * Pages with products that another page of the same category also shows, by category. For categories outside `short`,
 * oversized pages are ignored: their surplus is advertisements, which push out no product.
 */
export async function readDuplicatePages(
  tx: Queryable,
  runId: number,
  categoryNos: readonly number[],
  short: readonly number[],
): Promise<Map<number, readonly number[]>> {
  const rows = await rowsOf<{ categoryNo: number; pages: number[] }>(
    tx,
    `select s.category_no as "categoryNo", array_agg(distinct at.page_no order by at.page_no) as pages
     from observation s cross join lateral (values (first_page), (last_page)) as at (page_no)
     where first_page <> last_page and s.category_no = any($2)
       and (s.category_no = any($3) or not exists (
         select from ops.category_page p join ops.category_crawl c using (run_id, category_no)
         where p.run_id = $1 and p.category_no = s.category_no and p.page_no in (s.first_page, s.last_page)
           and p.items_received > ${pageSize}))
     group by s.category_no`,
    [runId, categoryNos, short],
  );
  return new Map(rows.map(({ categoryNo, pages }) => [categoryNo, pages]));
}

/** One row per page, then one row per category. */
const selectEvidence = `
  with
  page_read as materialized (
    select p.category_no, p.page_no, count(*) as readings,
           bool_or(status = 'done') as is_done, bool_or(status = 'planned') as is_open,
           coalesce(max(items_received), 0) as items, coalesce(max(rejected), 0) as rejected,
           bool_or(items_received > ${pageSize}) as is_oversized,
           greatest(coalesce(max(items_received - ${pageSize}), 0), 0) as excess,
           coalesce(max(least(items_received, ${pageSize}) - coalesce(rejected, 0)), 0) as places,
           bool_and(c.declared_last is null or p.page_no <= ceil(c.declared_last::numeric / ${pageSize})) as is_within,
           bool_and(c.declared_last is null and p.page_no > 1) as may_repeat
    from ops.category_page p join ops.category_crawl c using (run_id, category_no)
    where p.run_id = $1
    group by p.category_no, p.page_no
  ),
  pages_counted as materialized (
    select category_no, count(*)::int as planned, (count(*) filter (where is_done))::int as done,
           (count(*) filter (where not is_done and not is_open))::int as failed,
           (count(*) filter (where is_done and is_within and (items = 0 or may_repeat and not exists (
             select from observation s
             where s.category_no = page_read.category_no and s.first_page = page_read.page_no))))::int as empty,
           (count(*) filter (where is_oversized))::int as oversized, sum(excess)::int as excess,
           sum(places)::int as places,
           (sum(readings) - count(*))::int as rereads, sum(items)::int as items, sum(rejected)::int as rejected
    from page_read group by category_no
  ),
  total_declared as materialized (
    select category_no, (array_agg(declared_total order by fetched_at, page_no))[1] as first,
           (array_agg(declared_total order by fetched_at desc, page_no desc))[1] as last,
           array_agg(distinct declared_total order by declared_total) as all_totals
    from ops.category_page where run_id = $1 and declared_total is not null group by category_no
  ),
  products_shown as materialized (
    select category_no, count(*)::int as shown, (count(*) filter (where sponsored < times))::int as not_foreign,
           (count(*) filter (where first_page <> last_page))::int as duplicates
    from observation group by category_no
  ),
  -- An oversized page has no more places of its own than any other. A product that is on another page as well, or
  -- matches its breadcrumb, is a member in any case.
  members as materialized (
    select category_no,
      greatest(not_foreign, least(shown, case when oversized > 0 then places else shown end)) as products
    from products_shown join pages_counted using (category_no)
  ),
  members_below as materialized (
    select ancestor_no as category_no, count(*)::int as products
    from (
      select distinct l.ancestor_no, s.ref from lineage l join observation s using (category_no)
      where s.sponsored < s.times
        and l.ancestor_no in (select ancestor_no from lineage group by ancestor_no having count(*) > 1)
    ) as below
    group by ancestor_no
  ),
  only_here as materialized (
    select category_no, count(*)::int as products
    from (
      select s.category_no, s.ref
      from lineage l
      join ops.category_crawl above
        on above.run_id = $1 and above.category_no = l.ancestor_no and not above.is_descended
      join observation s on s.category_no = l.category_no and s.sponsored < s.times
      left join observation listed on listed.category_no = l.ancestor_no and listed.ref = s.ref
      where l.ancestor_no <> l.category_no
      group by s.category_no, s.ref having count(listed.ref) = 0
    ) as unlisted_above
    group by category_no
  )
  select c.category_no as "categoryNo", c.category_id as "categoryId", c.root_no as "rootNo", s.parent_no as "parentNo",
         coalesce(s.path, c.category_id) as path, c.is_sample as "isSample", c.is_descended as "isDescended",
         coalesce(total.first, c.declared_first) as "declaredFirst",
         coalesce(total.last, c.declared_last) as "declaredLast",
         coalesce(total.all_totals, '{}') as totals, ${pageSize} as "pageSize",
         pages.planned as "pagesPlanned", pages.done as "pagesDone", pages.failed as "pagesFailed",
         pages.empty as "pagesEmpty", pages.rereads, c.repairs,
         pages.items as "itemsReceived", pages.rejected,
         coalesce(greatest(members_below.products, members.products), 0) as "distinctSeen",
         coalesce(own.shown - members.products, 0) as sponsored, coalesce(own.duplicates, 0) as duplicates,
         greatest(coalesce(only_here.products, 0) - pages.excess, 0) as "onlyHere"
  from ops.category_crawl c
  join pages_counted pages using (category_no)
  left join total_declared total using (category_no)
  left join products_shown own using (category_no)
  left join members using (category_no)
  left join members_below using (category_no)
  left join only_here using (category_no)
  left join stage.category s on s.run_id = c.run_id and s.category_no = c.category_no
  where c.run_id = $1
  order by c.category_no`;
