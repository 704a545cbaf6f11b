import type { Askable, Database } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { LeaseLost } from '../errors.ts';
import { createLeasedUnits, type Lease } from './leased-units.ts';

/** One reading of one page under a lease. */
interface LeasedPage extends Lease {
  readonly categoryNo: number;
  readonly pageNo: number;
  readonly reading: number;
}

/** One reading of one page, ours for as long as the lease holds. */
export interface ClaimedPage extends LeasedPage {
  readonly categoryId: string;
  /** The frontier category it helps to cover. */
  readonly rootId: string;
  /** What the category declared when it was last read, and how many pages were planned for it. */
  readonly declaredTotal: number | null;
  readonly pagesPlanned: number;
  /** Only this page of the category is wanted. */
  readonly isSample: boolean;
  /** It stands in for pages that were given up. */
  readonly isSuspect: boolean;
}

/** How often a page is asked for, each time with the gateway's own tries, before the run goes on without it. */
export const maxPageAttempts = 4;

/**
 * A page that was given up and is read again, or one that is walked in place of a category with such pages, is asked for once:
 * where a whole category fails its many children most likely do, too, and each request is paid for.
 */
export function mostAttempts({ isSuspect }: ClaimedPage): number {
  return isSuspect ? 1 : maxPageAttempts;
}

/** The pages of a run: planned, claimed under a lease, done or failed. */
export function createPages(db: Database) {
  const units = createLeasedUnits<LeasedPage>(db, {
    table: 'ops.category_page',
    key: { category_no: 'categoryNo', page_no: 'pageNo', reading: 'reading' },
  });

  return {
    planCategories,

    /** Extends a category's plan to `pages` pages, in batches of `perBatch`; pages planned before stay as they are. */
    async extend(sql: Askable, runId: number, categoryNo: number, pages: number, perBatch: number): Promise<void> {
      const [crawl] = await rowsOf<{ pages_planned: number }>(
        sql,
        'select pages_planned from ops.category_crawl where run_id = $1 and category_no = $2 for update',
        [runId, categoryNo],
      );
      if (!crawl || crawl.pages_planned >= pages) return;
      await sql.query(
        `with batch as materialized (
           select nextval('ops.page_batch') as batch_no, first
           from generate_series($3::int + 1, $4::int, $5::int) as first
         )
         insert into ops.category_page (run_id, category_no, page_no, batch_no)
         select $1, $2, page_no, batch_no
         from batch cross join lateral generate_series(first, least(first + $5 - 1, $4)) as page_no
         on conflict do nothing`,
        [runId, categoryNo, crawl.pages_planned, pages, perBatch],
      );
      await sql.query('update ops.category_crawl set pages_planned = $3 where run_id = $1 and category_no = $2', [
        runId,
        categoryNo,
        pages,
      ]);
    },

    /** Whether one of these products was not on an earlier page of the category, as far as those are read. */
    async bringsNew(
      runId: number,
      categoryNo: number,
      pageNo: number,
      products: readonly { readonly productId: string }[],
    ): Promise<boolean> {
      const [row] = await rowsOf<{ brings_new: boolean }>(
        db,
        `select exists (
           select from unnest($4::text[]) as shown (product_id)
           where not exists (
             select from (
               select s.product_id from stage.listing s where s.run_id = $1 and s.category_no = $2 and s.page_no < $3
               union all
               select c.product_id
               from ops.category_page p cross join lateral unnest(p.seen_keys) as seen (product_key)
               join catalog.product c using (product_key)
               where p.run_id = $1 and p.category_no = $2 and p.page_no < $3
             ) as earlier
             where earlier.product_id = shown.product_id)
         ) as brings_new`,
        [runId, categoryNo, pageNo, products.map(({ productId }) => productId)],
      );
      return row!.brings_new;
    },

    /** Items on top of their count that all pages of the category before this one show at least; 0 where none is read. */
    async leastOnTop(runId: number, categoryNo: number, pageNo: number, pageSize: number): Promise<number> {
      const [row] = await rowsOf<{ on_top: number }>(
        db,
        `select greatest(0, coalesce(min(items_received), 0) - $4)::int as on_top
         from ops.category_page where run_id = $1 and category_no = $2 and page_no < $3 and status = 'done'`,
        [runId, categoryNo, pageNo, pageSize],
      );
      return row!.on_top;
    },

    /** Pages with products that a category without a total had when the region's last certified run walked it; 0: not known. */
    async pagesBefore(runId: number, categoryId: string): Promise<number> {
      const [row] = await rowsOf<{ pages: number }>(
        db,
        `select coalesce(max(p.page_no) filter (where p.items_received > 0), 0)::int as pages
         from (
           select earlier.run_id from ops.run r
           join ops.run earlier on earlier.region = r.region and earlier.observed_at < r.observed_at
           where r.run_id = $1 and earlier.status = 'published' and earlier.verdict <> 'partial'
           order by earlier.observed_at desc limit 1) as last
         join ops.category_crawl c using (run_id) join ops.category_page p using (run_id, category_no)
         where c.category_id = $2`,
        [runId, categoryId],
      );
      return row!.pages;
    },

    /** Notes what a category declares of itself, as last read, while the page that says it is ours. */
    async declare(
      sql: Askable,
      runId: number,
      page: ClaimedPage,
      workerId: string,
      { total, resultsPerPage }: { readonly total: number; readonly resultsPerPage: number | null },
    ): Promise<void> {
      await sql.query(
        `update ops.category_crawl
         set declared_first = coalesce(declared_first, $7), declared_last = $7, results_per_page = coalesce($8, results_per_page)
         where run_id = $1 and category_no = $2 and declared_last is distinct from $7 and exists (${selectClaimed})`,
        [...claimOf(runId, page, workerId), total, resultsPerPage],
      );
    },

    /** Takes what is still to do of a batch. */
    async claim(runId: number, batchNo: number, workerId: string): Promise<ClaimedPage[]> {
      const leased = await units.claim(runId, batchNo, workerId);
      if (leased.length === 0) return [];
      const categories = await rowsOf<ClaimedCategory>(db, selectCategories, [
        runId,
        leased.map(({ categoryNo }) => categoryNo),
      ]);
      const byNo = new Map(categories.map((category) => [category.categoryNo, category]));
      return leased
        .map((page): ClaimedPage => {
          const { hasFailures, isChild, ...category } = byNo.get(page.categoryNo)!;
          return { ...page, ...category, isSuspect: hasFailures && (isChild || page.reading > 1) };
        })
        .sort((one, other) => one.pageNo - other.pageNo);
    },

    /** Throws `LeaseLost` unless the page is ours and its run open, and keeps the run open until the transaction ends. */
    async assertClaimed(sql: Askable, runId: number, page: ClaimedPage, workerId: string): Promise<void> {
      const rows = await rowsOf(sql, selectClaimed, claimOf(runId, page, workerId));
      if (rows.length === 0) throw new LeaseLost(`Page ${page.pageNo} of category ${page.categoryNo} in run ${runId}`);
    },

    release: units.release,
    fail: units.fail,
    takeWindow: units.takeWindow,
    anyOutstanding: units.anyOutstanding,

    /** A page the run has read, of a category of which nothing failed where there is one; null before the first. */
    async anyDone(runId: number): Promise<{ categoryId: string; pageNo: number } | null> {
      const [page] = await rowsOf<{ categoryId: string; pageNo: number }>(
        db,
        `with failing as materialized (
           select distinct c.root_no
           from ops.category_page p join ops.category_crawl c using (run_id, category_no)
           where p.run_id = $1 and p.status <> 'done' and p.error is not null
         )
         select c.category_id as "categoryId", p.page_no as "pageNo"
         from ops.category_page p join ops.category_crawl c using (run_id, category_no)
         where p.run_id = $1 and p.status = 'done'
         order by c.root_no in (select root_no from failing), random()
         limit 1`,
        [runId],
      );
      return page ?? null;
    },
  };
}

/** Locks the run, so that it stays open until the transaction ends. */
const selectClaimed = `
  select 1 from ops.run r join ops.category_page p using (run_id)
  where r.run_id = $1 and r.status = 'open' and p.category_no = $2 and p.page_no = $3 and p.reading = $4
    and p.lease = $5 and p.worker_id = $6 and p.status = 'planned'
  for share of r`;

function claimOf(runId: number, { categoryNo, pageNo, reading, lease }: LeasedPage, workerId: string): unknown[] {
  return [runId, categoryNo, pageNo, reading, lease, workerId];
}

interface ClaimedCategory extends Pick<ClaimedPage, 'categoryNo' | 'categoryId' | 'rootId' | 'isSample'> {
  readonly declaredTotal: number | null;
  readonly pagesPlanned: number;
  /** Walked in place of another one. */
  readonly isChild: boolean;
  /** Pages of what it helps to cover were given up. */
  readonly hasFailures: boolean;
}

const selectCategories = `
  with failing as materialized (
    select distinct f.root_no
    from ops.category_page g join ops.category_crawl f using (run_id, category_no)
    where g.run_id = $1 and g.status = 'failed'
  )
  select c.category_no as "categoryNo", c.category_id as "categoryId", root.category_id as "rootId",
    c.declared_last as "declaredTotal", c.pages_planned as "pagesPlanned", c.is_sample as "isSample",
    c.category_no <> c.root_no as "isChild", c.root_no in (select root_no from failing) as "hasFailures"
  from ops.category_crawl c
  join ops.category_crawl root on root.run_id = $1 and root.category_no = c.root_no
  where c.run_id = $1 and c.category_no = any($2)`;

/** First pages in one queue job at most: few enough for several workers to begin a night together. */
export const firstPagesPerBatch = 8;

/** Plans categories to walk or to sample, page 1 each. */
async function planCategories(sql: Askable, runId: number, categories: readonly PlannedCategory[]): Promise<void> {
  await sql.query(
    `insert into ops.category_crawl (run_id, category_no, category_id, root_no, is_sample, pages_planned)
     select $1, c.category_no, c.category_id, c.root_no, c.is_sample, 1
     from unnest($2::int[], $3::text[], $4::int[], $5::bool[]) as c (category_no, category_id, root_no, is_sample)
     on conflict do nothing`,
    [
      runId,
      categories.map((c) => c.categoryNo),
      categories.map((c) => c.categoryId),
      categories.map((c) => c.rootNo),
      categories.map((c) => c.isSample ?? false),
    ],
  );
  await sql.query(
    `with wanted as (
       select c.category_no,
         (row_number() over (order by c.category_no) - 1) / least(r.pages_per_batch, $3::int) as part
       from unnest($2::int[]) as c (category_no) join ops.run r on r.run_id = $1
       where not exists (
         select from ops.category_page p where p.run_id = $1 and p.category_no = c.category_no and p.page_no = 1)
     ), batch as materialized (
       select part, nextval('ops.page_batch') as batch_no from (select distinct part from wanted order by part) as parts
     )
     insert into ops.category_page (run_id, category_no, page_no, batch_no)
     select $1, category_no, 1, batch_no from wanted join batch using (part) order by category_no
     on conflict do nothing`,
    [runId, categories.map((c) => c.categoryNo), firstPagesPerBatch],
  );
}

export interface PlannedCategory {
  readonly categoryNo: number;
  readonly categoryId: string;
  /** The frontier category it helps to cover; its own number for the frontier itself. */
  readonly rootNo: number;
  /** Only its first page is asked for. */
  readonly isSample?: boolean;
}

export type Pages = ReturnType<typeof createPages>;
