import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import type { RegionCode } from '../model/index.ts';
import { pageSize } from './page-size.ts';

/** What past nights say of a category of the frontier. */
export interface CategoryPast {
  readonly categoryId: string;
  /** Pages it declared last. */
  readonly pages: number | null;
  /** Prices and offers of its products that change a day; never 0, nothing stands still. */
  readonly changesPerDay: number;
  /** Night on which it was last read whole, and how long that is ago; null: never. */
  readonly lastReadOn: string | null;
  readonly daysUnread: number | null;
}

/** A category that waits for another night. */
export interface DeferredCategory {
  readonly categoryId: string;
  readonly pages: number;
  readonly lastReadOn: string | null;
}

/** What is known of categories at an instant, on a night; a row for each that is asked about. */
export async function readCategoriesPast(
  sql: Askable,
  region: RegionCode,
  { at, on, categoryIds }: { readonly at: Date; readonly on: string; readonly categoryIds: readonly string[] },
): Promise<CategoryPast[]> {
  return rowsOf<CategoryPast>(sql, selectPast, [region, at, on, categoryIds]);
}

/** Keeps which categories a run does not ask for. */
export async function storeDeferred(sql: Askable, runId: number, deferred: readonly DeferredCategory[]): Promise<void> {
  await sql.query(
    `insert into ops.category_deferred (run_id, category_id, pages, last_read_on)
     select $1, d.* from unnest($2::text[], $3::int[], $4::date[]) as d on conflict do nothing`,
    [
      runId,
      deferred.map(({ categoryId }) => categoryId),
      deferred.map(({ pages }) => pages),
      deferred.map(({ lastReadOn }) => lastReadOn),
    ],
  );
}

/** Changes of the last so many days say what is usual. */
const daysLookedAt = 30;
/** A category of which so many of its pages were read counts as read: one page may fail every night. */
const wholeShare = 0.95;

const selectPast = `
  with wanted as (
    select unnest($4::text[]) as category_id
  ), walked as (
    select c.category_id, r.snapshot_date, r.observed_at,
      ceil(c.declared_last::numeric / ${pageSize}) as pages,
      coalesce(
        (select f.pages_read from ops.page_fold f where f.run_id = c.run_id and f.category_no = c.category_no),
        (select count(distinct p.page_no) from ops.category_page p
          where p.run_id = c.run_id and p.category_no = c.category_no and p.status = 'done')) >= ${wholeShare} * c.pages_planned as is_whole
    from ops.run r join ops.category_crawl c using (run_id) join wanted using (category_id)
    where r.region = $1 and r.status = 'published' and r.observed_at < $2 and c.root_no = c.category_no and not c.is_sample
  ), observed as (
    select greatest(1, least(${daysLookedAt}, extract(epoch from $2 - min(observed_at)) / 86400)) as days from walked
  ), changed as (
    select product_key, valid_from from catalog.price_history where valid_from > $2::timestamptz - interval '${daysLookedAt} days'
    union all
    select product_key, valid_from from catalog.offer_history where valid_from > $2::timestamptz - interval '${daysLookedAt} days'
  ), change as (
    select top.category_id, count(*) as changes
    from changed
    join catalog.product p using (product_key)
    join catalog.product_category pc on pc.product_key = p.product_key and pc.valid_to is null
    join catalog.category_ancestor a on a.category_key = pc.category_key
    join catalog.category top on top.category_key = a.ancestor_key
    join wanted on wanted.category_id = top.category_id
    where p.region = $1 and changed.valid_from > p.first_seen_at
    group by top.category_id
  )
  select wanted.category_id as "categoryId",
    (select pages::int from walked w where w.category_id = wanted.category_id and pages is not null order by observed_at desc limit 1) as pages,
    ((1 + coalesce(change.changes, 0)) / coalesce(observed.days, 1))::float8 as "changesPerDay",
    reading.last_read_on::text as "lastReadOn", ($3::date - reading.last_read_on)::int as "daysUnread"
  from wanted
  cross join observed
  left join change using (category_id)
  left join lateral (
    select max(snapshot_date) as last_read_on from walked w where w.category_id = wanted.category_id and w.is_whole
  ) as reading on true`;
