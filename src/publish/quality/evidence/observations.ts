import { pageSize } from '../../../crawl/ledger/page-size.ts';
import type { Queryable } from '../../../db/client.ts';

/** SQL: a product as a number: its key, or a negative hash of its id if it is new to the catalogue. */
export const productRef = (key: string, id: string) =>
  `coalesce(${key}::bigint, -1 - (hashtextextended(${id}, 0) & 4611686018427387903))`;

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
  // Evaluated once per page, not once per product. `place` is null beyond the declared end, where upstreams repeat
  // arbitrary products. The surplus of an oversized page is advertisements (quirks.md, section 6).
  const observation = `
    with page as materialized (
      select p.category_no, p.page_no, p.reading, p.seen_keys, p.extra_keys,
        case
          when c.declared_last is null or p.page_no <= ceil(c.declared_last::numeric / ${pageSize}) then p.page_no
        end as place,
        coalesce(p.items_received > ${pageSize}, false)::int as is_oversized
      from ops.category_page p join ops.category_crawl c using (run_id, category_no)
      where p.run_id = ${runId}
    )
    select category_no, ref, min(place) as first_page, max(place) as last_page,
      sum(times)::int as times, sum(extra)::int as extra, sum(sponsored)::int as sponsored
    from (
      select category_no, place, unnest(seen_keys)::bigint as ref, 1 as times, 0 as extra, 0 as sponsored from page
      union all
      select category_no, null, unnest(extra_keys)::bigint, 0, 1, is_oversized from page
      union all
      select category_no, place, ${productRef('s.product_key', 's.product_id')}, 1, s.is_extra::int,
        s.is_extra::int * is_oversized
      from stage.product s join page using (category_no, page_no, reading)
      where s.run_id = ${runId}
    ) as shown
    group by category_no, ref`;
  const misplaced = `
    select distinct s.ref from observation s
    where s.extra = s.times and not exists (
      select from observation other where other.ref = s.ref and other.extra < other.times)`;
  // By hash: the planner expects few rows and would sort them.
  await tx.query(`
    ${tableAnew('lineage', lineage)}
    set local enable_sort = off;
    ${tableAnew('observation', observation)}
    set local enable_sort = on;
    ${tableAnew('misplaced', misplaced)}`);
}
