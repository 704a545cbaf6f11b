import type { RegionCode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { pageSize } from './page-size.ts';

/** History of a frontier category. */
export interface CategoryPast {
  readonly categoryId: string;
  /** Pages it declared last; null if unknown. */
  readonly pages: number | null;
  /** Last night that read it completely, and days since then; null: never. */
  readonly lastReadOn: string | null;
  readonly daysUnread: number | null;
}

/** A category deferred to another night. */
export interface DeferredCategory {
  readonly categoryId: string;
  /** Number of its pages that are not requested. */
  readonly pages: number;
  readonly lastReadOn: string | null;
}

/** History of the given categories as of an instant and a night; one row per requested category. */
export async function readCategoriesPast(
  sql: Queryable,
  region: RegionCode,
  { at, on, categoryIds }: { readonly at: Date; readonly on: string; readonly categoryIds: readonly string[] },
): Promise<CategoryPast[]> {
  return rowsOf<CategoryPast>(sql, selectPast, [region, at, on, categoryIds]);
}

interface PagesSoFar {
  readonly sent: number;
  readonly read: number;
  readonly hasBegun: boolean;
}

/**
 * Requests that a run sent for pages, pages it has read, and whether it reads any category completely. Requests are
 * counted slightly later than pages are staged, so `sent` is at least the number of pages read.
 */
export async function readPagesSoFar(sql: Queryable, runId: number): Promise<PagesSoFar> {
  const [row] = await rowsOf<PagesSoFar>(
    sql,
    `select greatest(counted.sent, pages.read)::int as sent, pages.read::int as read,
       exists (select from ops.category_crawl where run_id = $1 and not is_sample) as "hasBegun"
     from (select sum(sent) as sent from ops.spend where run_id = $1 and endpoint like '%-category-page') as counted,
       (select count(*) as read from ops.category_page where run_id = $1 and status = 'done') as pages`,
    [runId],
  );
  return row!;
}

/** Stores the categories that a run defers. */
export async function storeDeferred(
  sql: Queryable,
  runId: number,
  deferred: readonly DeferredCategory[],
): Promise<void> {
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

/** A deferred category, with the content of its first page if that was requested. */
export interface WaitingCategory extends DeferredCategory {
  readonly categoryNo: number;
  readonly isLookedAt: boolean;
  readonly declaredTotal: number | null;
  readonly pageSize: number;
  /** Null: its first page was not read. */
  readonly itemsReceived: number | null;
}

/** Categories that an open run currently defers. */
export async function readWaiting(sql: Queryable, runId: number): Promise<WaitingCategory[]> {
  return rowsOf<WaitingCategory>(
    sql,
    `select d.category_id as "categoryId", d.pages, d.last_read_on::text as "lastReadOn", s.category_no as "categoryNo",
       c.run_id is not null as "isLookedAt", c.declared_last as "declaredTotal", (${pageSize})::int as "pageSize",
       p.items_received as "itemsReceived"
     from ops.category_deferred d
     join ops.run r using (run_id)
     join stage.category s using (run_id, category_id)
     left join ops.category_crawl c using (run_id, category_no)
     left join ops.category_page p
       on p.run_id = d.run_id and p.category_no = s.category_no and p.page_no = 1 and p.status = 'done'
     where d.run_id = $1 order by s.category_no`,
    [runId],
  );
}

/**
 * Locks a run in the phase `categories` whose pages are all done or failed. Returns false if the run is in another
 * phase, or has new pages to read.
 */
export async function lockListed(
  sql: Queryable,
  { runId, epoch }: { readonly runId: number; readonly epoch: number },
): Promise<boolean> {
  const locked = await rowsOf(
    sql,
    `select from ops.run where run_id = $1 and epoch = $2 and status = 'open' and phase = 'categories' for update`,
    [runId, epoch],
  );
  if (locked.length === 0) return false;
  const outstanding = await rowsOf(
    sql,
    `select from ops.category_page where run_id = $1 and status = 'planned' limit 1`,
    [runId],
  );
  return outstanding.length === 0;
}

/** Undefers categories: the run reads them completely. */
export async function endWaiting(
  sql: Queryable,
  runId: number,
  categories: readonly Pick<WaitingCategory, 'categoryId' | 'categoryNo'>[],
): Promise<void> {
  await sql.query('delete from ops.category_deferred where run_id = $1 and category_id = any($2::text[])', [
    runId,
    categories.map(({ categoryId }) => categoryId),
  ]);
  await sql.query(
    'update ops.category_crawl set is_sample = false where run_id = $1 and category_no = any($2::int[])',
    [runId, categories.map(({ categoryNo }) => categoryNo)],
  );
}

/** Stores the estimated number of unread pages of categories that stay deferred. */
export async function noteSizes(
  sql: Queryable,
  runId: number,
  sizes: readonly Pick<DeferredCategory, 'categoryId' | 'pages'>[],
): Promise<void> {
  await sql.query(
    `update ops.category_deferred d set pages = size.pages
     from unnest($2::text[], $3::int[]) as size (category_id, pages)
     where d.run_id = $1 and d.category_id = size.category_id and d.pages <> size.pages`,
    [runId, sizes.map(({ categoryId }) => categoryId), sizes.map(({ pages }) => pages)],
  );
}

/** Share of a category's pages that must be read for it to count as read completely: one page may fail every night. */
const wholeShare = 0.95;

const selectPast = `
  with wanted as (
    select unnest($4::text[]) as category_id
  ), asked as (
    -- The first page of a sampled category declares its size.
    select c.category_id, r.snapshot_date, r.observed_at,
      ceil(c.declared_last::numeric / ${pageSize}) as pages,
      not c.is_sample and (
        select count(distinct p.page_no) from ops.category_page p
        where p.run_id = c.run_id and p.category_no = c.category_no and p.status = 'done'
      ) >= ${wholeShare} * c.pages_planned as is_whole
    from ops.published_run r join ops.category_crawl c using (run_id) join wanted using (category_id)
    where r.region = $1 and r.observed_at < $2 and c.root_no = c.category_no
  )
  select wanted.category_id as "categoryId",
    (
      select pages::int from asked w
      where w.category_id = wanted.category_id and pages is not null
      order by observed_at desc limit 1
    ) as pages,
    reading.last_read_on::text as "lastReadOn", ($3::date - reading.last_read_on)::int as "daysUnread"
  from wanted
  left join lateral (
    select max(snapshot_date) as last_read_on from asked w where w.category_id = wanted.category_id and w.is_whole
  ) as reading on true`;
