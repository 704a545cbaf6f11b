import { pageSize } from '../../../crawl/ledger/page-size.ts';
import type { Queryable } from '../../../db/client.ts';

/** SQL: a product as a number: its key, or a negative hash of its id if it is new to the catalogue. */
export const productRef = (key: string, id: string) =>
  `coalesce(${key}::bigint, -1 - (hashtextextended(${id}, 0) & 4611686018427387903))`;

/** SQL: the page number; null beyond the declared end, where upstreams repeat arbitrary products. */
const pageWithin = `case
  when c.declared_last is null or p.page_no <= ceil(c.declared_last::numeric / ${pageSize}) then p.page_no
end`;

/** SQL: the page has more items than a full page; the surplus is advertisements (quirks.md, section 6). */
const isOversized = `p.items_received > ${pageSize}`;

/** SQL: a temporary table, which an earlier run of the same transaction may have made. */
export const tableAnew = (table: string, select: string): string =>
  `drop table if exists pg_temp.${table}; create temporary table ${table} on commit drop as ${select};\n`;

/**
 * Collects what a run's pages showed, in temporary tables. `lineage`: walked categories and their walked ancestors,
 * including themselves. `observation`: one row per category and product with its pages, number of times shown, times
 * outside its breadcrumb, and times outside it on oversized pages. `misplaced`: products seen only outside their
 * breadcrumb.
 */
export async function collectObservations(tx: Queryable, runId: number): Promise<void> {
  const lineage = `
    with recursive climb (category_no, at_no) as (
      select category_no, category_no from ops.category_crawl where run_id = ${runId}
      union all
      select climb.category_no, s.parent_no
      from climb join stage.category s on s.run_id = ${runId} and s.category_no = climb.at_no
      where s.parent_no is not null
    )
    select climb.category_no, climb.at_no as ancestor_no
    from climb join ops.category_crawl c on c.run_id = ${runId} and c.category_no = climb.at_no`;
  const observation = `
    select category_no, ref, min(page_no) as first_page, max(page_no) as last_page,
      sum(times)::int as times, sum(extra)::int as extra, sum(sponsored)::int as sponsored
    from (
      select p.category_no, ${pageWithin} as page_no, unnest(p.seen_keys)::bigint as ref, 1 as times, 0 as extra,
        0 as sponsored
      from ops.category_page p join ops.category_crawl c using (run_id, category_no)
      where p.run_id = ${runId}
      union all
      select p.category_no, null, unnest(p.extra_keys)::bigint, 0, 1, (${isOversized})::int
      from ops.category_page p join ops.category_crawl c using (run_id, category_no)
      where p.run_id = ${runId}
      union all
      select s.category_no, ${pageWithin}, ${productRef('s.product_key', 's.product_id')}, 1, s.is_extra::int,
        (s.is_extra and ${isOversized})::int
      from stage.product s
      join ops.category_page p using (run_id, category_no, page_no, reading)
      join ops.category_crawl c using (run_id, category_no)
      where s.run_id = ${runId}
    ) as shown
    group by category_no, ref`;
  const misplaced = `
    select distinct s.ref from observation s
    where s.extra = s.times and not exists (
      select from observation other where other.ref = s.ref and other.extra < other.times)`;
  // Grouping 300,000 products in memory; the default of 4 MB would spill to disk. By hash: the planner expects few rows
  // and would sort them.
  await tx.query(`
    set local work_mem = '64MB';
    ${tableAnew('lineage', lineage)}
    set local enable_sort = off;
    ${tableAnew('observation', observation)}
    set local enable_sort = on;
    ${tableAnew('misplaced', misplaced)}`);
}
