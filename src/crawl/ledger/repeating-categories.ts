import { createHash } from 'node:crypto';
import type { CategoryNode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { categoriesToLookInto, nightOf, type RepeatingCategory, walkedEvery } from '../plan/repeating.ts';
import { pageSize } from './page-size.ts';
import type { Run } from './runs.ts';

/** Repeating categories of the frontier that are not read completely tonight, with the pages to sample from them. */
export async function lookIntoRepeating(sql: Queryable, run: Run, frontier: readonly CategoryNode[]) {
  const ids = frontier.map(({ categoryId }) => categoryId);
  const repeating = await readRepeatingCategories(sql, run, ids);
  const chance = (place: string) => createHash('md5').update(`${run.runId}/${place}`).digest('hex');
  return categoriesToLookInto(repeating, nightOf(run.snapshotDate), chance);
}

/**
 * Frontier categories that no product's breadcrumb leads to: when last walked, all their products belonged to other
 * categories. The night of that walk must be certified without other reasons than the known counts of repeating
 * categories. Empty if the region's last night is not certified.
 */
async function readRepeatingCategories(
  sql: Queryable,
  { runId, region, snapshotDate }: Run,
  frontier: readonly string[],
): Promise<RepeatingCategory[]> {
  return rowsOf<RepeatingCategory>(sql, selectRepeating, [runId, region, snapshotDate, frontier, walkedEvery]);
}

/** Adds pages of a category to a run's plan. */
export async function planRepeatingPages(
  sql: Queryable,
  runId: number,
  categoryNo: number,
  pageNos: readonly number[],
): Promise<void> {
  await sql.query(
    `insert into ops.category_page (run_id, category_no, page_no)
     select $1, $2, page_no from unnest($3::int[]) as page_no
     on conflict do nothing`,
    [runId, categoryNo, pageNos],
  );
}

const selectRepeating = `
  with published as materialized (
    select run_id, snapshot_date, observed_at, verdict from ops.published_run
    where region = $2 and run_id <> $1
    order by observed_at desc limit 2 * $5::int
  ), walked as (
    select distinct on (c.category_id) c.category_id, $3::date - night.snapshot_date as nights_ago,
      ceil(c.declared_last::numeric / ${pageSize})::int as pages,
      c.distinct_seen = c.declared_last and cardinality(judged.reasons) = (
        select count(*) from jsonb_array_elements(coalesce(judged.evidence -> 'repeating', '[]')) as other
        where other -> 'declared' <> other -> 'known') as is_whole
    from published night join ops.category_crawl c using (run_id) join ops.certificate judged using (run_id)
    where night.verdict <> 'partial' and c.category_id = any($4::text[])
      and c.category_no = c.root_no and not c.is_sample and not c.is_descended
    order by c.category_id, night.observed_at desc
  )
  select category_id as "categoryId", pages, greatest(1, nights_ago) as "nightsAgo"
  from walked
  join catalog.category top using (category_id)
  where top.region = $2 and is_whole
    and (select verdict <> 'partial' from published order by observed_at desc limit 1)
    and not exists (
      select from catalog.category_ancestor below
      join catalog.product_category pc
        on pc.category_key = below.category_key and pc.valid_to is null and pc.source = 'breadcrumb'
      where below.ancestor_key = top.category_key)
  order by category_id`;
