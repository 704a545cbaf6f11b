import { pageSize } from '../../../crawl/ledger/page-size.ts';
import type { Askable } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';

/** What the ledger knows of one category that a run asked for. */
export interface CategoryEvidence {
  readonly categoryNo: number;
  readonly categoryId: string;
  /** The frontier category it helps to cover; its own number for the frontier itself. */
  readonly rootNo: number;
  /** In the taxonomy. */
  readonly parentNo: number | null;
  readonly path: string;
  /** Only its first page was asked for, to hold what its parent lists against it. */
  readonly isSample: boolean;
  readonly isDescended: boolean;
  readonly declaredFirst: number | null;
  readonly declaredLast: number | null;
  /** Every total it declared while it was read, ascending; more than one: it moved. */
  readonly totals: readonly number[];
  readonly pageSize: number;
  readonly pagesPlanned: number;
  readonly pagesDone: number;
  readonly pagesFailed: number;
  /** Within the declared total; without one all of them, and those that only repeat earlier pages. */
  readonly pagesEmpty: number;
  readonly pagesOversized: number;
  /** Readings beyond the first of each page. */
  readonly rereads: number;
  readonly repairs: number;
  readonly itemsReceived: number;
  /** In quarantine. */
  readonly rejected: number;
  /** Distinct products on its pages and those of categories below it, advertisements left out. */
  readonly distinctSeen: number;
  /** On its own pages alone. */
  readonly distinctOwn: number;
  /** More products than its pages have places of their own: advertisements on oversized ones, most likely. */
  readonly sponsored: number;
  /** Products on more than one of its pages. */
  readonly duplicates: number;
  /** Against their breadcrumb: they belong elsewhere, too. */
  readonly foreign: number;
  /**
   * On its pages, beyond what may be advertised there, although none above it listed them: proof that those fell short.
   */
  readonly onlyHere: number;
}

/** The evidence of each category, in order of number; needs the tables of `collectObservations`. */
export async function readCategoryEvidence(tx: Askable, runId: number): Promise<CategoryEvidence[]> {
  for (const [table, select] of Object.entries(countsByCategory(runId))) {
    await tx.query(`drop table if exists pg_temp.${table}`);
    await tx.query(`create temporary table ${table} on commit drop as ${select}`);
  }
  return rowsOf<CategoryEvidence>(tx, selectEvidence, [runId]);
}

/** Notes in the ledger how many products each category was seen to have. */
export async function noteDistinctSeen(
  tx: Askable,
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

/** One reading of a page, for those who must know which pages were read under which total. */
interface PageReading {
  readonly categoryNo: number;
  readonly pageNo: number;
  readonly declaredTotal: number | null;
  /** Products and rejected elements. */
  readonly products: number;
  readonly rejected: number;
  readonly isDone: boolean;
}

/** All readings of some categories' pages, oldest first. */
export async function readReadings(tx: Askable, runId: number, categoryNos: readonly number[]): Promise<PageReading[]> {
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
 * The pages of some categories that show products which another page of the same category shows, too. Of a category
 * that is not `short`, an oversized page repeats nothing that was pushed out elsewhere: what is on top of its count is
 * advertised.
 */
export async function readDuplicatePages(
  tx: Askable,
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

/** Temporary tables of counts, in the order they build on each other: a row a page, then a row a category in each. */
const countsByCategory = (runId: number): Readonly<Record<string, string>> => ({
  page_read: `
    select p.category_no, p.page_no, count(*) as readings,
           bool_or(status = 'done') as is_done, bool_or(status = 'planned') as is_open,
           coalesce(max(items_received), 0) as items, coalesce(max(rejected), 0) as rejected,
           bool_or(items_received > ${pageSize}) as is_oversized,
           greatest(coalesce(max(items_received - ${pageSize}), 0), 0) as excess,
           coalesce(max(least(items_received, ${pageSize}) - coalesce(rejected, 0)), 0) as places,
           bool_and(c.declared_last is null or p.page_no <= ceil(c.declared_last::numeric / ${pageSize})) as is_within,
           bool_and(c.declared_last is null and p.page_no > 1) as may_repeat
    from ops.category_page p join ops.category_crawl c using (run_id, category_no)
    where p.run_id = ${runId}
    group by p.category_no, p.page_no`,

  pages_counted: `
    select category_no, count(*)::int as planned, (count(*) filter (where is_done))::int as done,
           (count(*) filter (where not is_done and not is_open))::int as failed,
           (count(*) filter (where is_done and is_within and (items = 0 or may_repeat and not exists (
             select from observation s where s.category_no = page_read.category_no and s.first_page = page_read.page_no))))::int as empty,
           (count(*) filter (where is_oversized))::int as oversized, sum(excess)::int as excess, sum(places)::int as places,
           (sum(readings) - count(*))::int as rereads, sum(items)::int as items, sum(rejected)::int as rejected
    from page_read group by category_no`,

  total_declared: `
    select category_no, (array_agg(declared_total order by fetched_at, page_no))[1] as first,
           (array_agg(declared_total order by fetched_at desc, page_no desc))[1] as last,
           array_agg(distinct declared_total order by declared_total) as all_totals
    from ops.category_page where run_id = ${runId} and declared_total is not null group by category_no`,

  products_shown: `
    select category_no, count(*)::int as shown, (count(*) filter (where sponsored < times))::int as not_foreign,
           (count(*) filter (where extra > 0))::int as foreign_products,
           (count(*) filter (where first_page <> last_page))::int as duplicates
    from observation group by category_no`,

  // Whatever else an oversized page shows, it has no more places of its own than any other; and what is neither on such
  // a page alone nor against its breadcrumb is a member anyway.
  members: `
    select category_no, greatest(not_foreign, least(shown, case when oversized > 0 then places else shown end)) as products
    from products_shown join pages_counted using (category_no)`,

  members_below: `
    select ancestor_no as category_no, count(*)::int as products
    from (
      select distinct l.ancestor_no, s.ref from lineage l join observation s using (category_no)
      where s.sponsored < s.times and l.ancestor_no in (select ancestor_no from lineage group by ancestor_no having count(*) > 1)
    ) as below
    group by ancestor_no`,

  only_here: `
    select category_no, count(*)::int as products
    from (
      select s.category_no, s.ref
      from lineage l
      join ops.category_crawl above on above.run_id = ${runId} and above.category_no = l.ancestor_no and not above.is_descended
      join observation s on s.category_no = l.category_no and s.sponsored < s.times
      left join observation listed on listed.category_no = l.ancestor_no and listed.ref = s.ref
      where l.ancestor_no <> l.category_no
      group by s.category_no, s.ref having count(listed.ref) = 0
    ) as unlisted_above
    group by category_no`,
});

const selectEvidence = `
  select c.category_no as "categoryNo", c.category_id as "categoryId", c.root_no as "rootNo", s.parent_no as "parentNo",
         coalesce(s.path, c.category_id) as path, c.is_sample as "isSample", c.is_descended as "isDescended",
         coalesce(total.first, c.declared_first) as "declaredFirst", coalesce(total.last, c.declared_last) as "declaredLast",
         coalesce(total.all_totals, '{}') as totals, ${pageSize} as "pageSize",
         pages.planned as "pagesPlanned", pages.done as "pagesDone", pages.failed as "pagesFailed", pages.empty as "pagesEmpty",
         pages.oversized as "pagesOversized", pages.rereads, c.repairs, pages.items as "itemsReceived", pages.rejected,
         coalesce(greatest(members_below.products, members.products), 0) as "distinctSeen",
         coalesce(members.products, 0) as "distinctOwn", coalesce(own.shown - members.products, 0) as sponsored,
         coalesce(own.duplicates, 0) as duplicates, coalesce(own.foreign_products, 0) as foreign,
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
