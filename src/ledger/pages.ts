import type { Askable, Database } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { LeaseLost } from '../errors.ts';
import { isUnleased } from './workers.ts';

/** A queue job's worth of pages of one category. */
export interface PageBatch {
  readonly batchNo: number;
  readonly categoryNo: number;
  readonly firstPage: number;
}

/** One reading of one page, ours for as long as the lease holds. */
export interface ClaimedPage {
  readonly categoryNo: number;
  readonly categoryId: string;
  /** The frontier category it helps to cover. */
  readonly rootId: string;
  readonly pageNo: number;
  readonly reading: number;
  readonly lease: number;
  readonly attempts: number;
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

    /** Notes what a category declares of itself, as last read. */
    async declare(
      sql: Askable,
      runId: number,
      categoryNo: number,
      total: number,
      resultsPerPage: number | null,
    ): Promise<void> {
      await sql.query(
        `update ops.category_crawl
         set declared_first = coalesce(declared_first, $3), declared_last = $3, results_per_page = coalesce($4, results_per_page)
         where run_id = $1 and category_no = $2 and declared_last is distinct from $3`,
        [runId, categoryNo, total, resultsPerPage],
      );
    },

    /**
     * Takes what is still to do of a batch: pages neither done nor failed nor leased by another living worker. What this
     * worker has leased already it left behind (its database was away when it gave the page back), and is no new attempt: a
     * batch is in one pair of hands in a process.
     */
    async claim(runId: number, batchNo: number, workerId: string): Promise<ClaimedPage[]> {
      return rowsOf<ClaimedPage>(
        db,
        `with claimed as (
           update ops.category_page u
           set worker_id = $3, lease = lease + 1, attempts = attempts + case when worker_id = $3 then 0 else 1 end
           where run_id = $1 and batch_no = $2 and status = 'planned' and (worker_id = $3 or ${isUnleased})
           returning category_no, page_no, reading, lease, attempts
         ), failing as materialized (
           select distinct f.root_no
           from ops.category_page g join ops.category_crawl f using (run_id, category_no)
           where g.run_id = $1 and g.status = 'failed'
         )
         select c.category_no as "categoryNo", c.category_id as "categoryId", claimed.page_no as "pageNo", claimed.reading,
           claimed.lease, claimed.attempts, c.declared_last as "declaredTotal", c.pages_planned as "pagesPlanned",
           c.is_sample as "isSample", root.category_id as "rootId",
           (claimed.reading > 1 or c.category_no <> c.root_no) and c.root_no in (select root_no from failing) as "isSuspect"
         from claimed
         join ops.category_crawl c on c.run_id = $1 and c.category_no = claimed.category_no
         join ops.category_crawl root on root.run_id = $1 and root.category_no = c.root_no
         order by claimed.page_no`,
        [runId, batchNo, workerId],
      );
    },

    /** Throws `LeaseLost` unless the page is ours and its run open, and keeps the run open until the transaction ends. */
    async assertClaimed(sql: Askable, runId: number, page: ClaimedPage, workerId: string): Promise<void> {
      const { categoryNo, pageNo, reading, lease } = page;
      const rows = await rowsOf(
        sql,
        `select 1 from ops.run r join ops.category_page p using (run_id)
         where r.run_id = $1 and r.status = 'open' and p.category_no = $2 and p.page_no = $3 and p.reading = $4
           and p.lease = $5 and p.worker_id = $6 and p.status = 'planned'
         for share of r`,
        [runId, categoryNo, pageNo, reading, lease, workerId],
      );
      if (rows.length === 0) throw new LeaseLost(`Page ${pageNo} of category ${categoryNo} in run ${runId}`);
    },

    /** Gives a page back unread; `costsAttempt` false when nothing was wrong with the page (a limit, a shutdown). */
    async release(runId: number, page: ClaimedPage, costsAttempt: boolean, why: string): Promise<void> {
      await db.query(
        `update ops.category_page
         set worker_id = null, queued_at = null, error = $5, attempts = attempts - case when $6 then 0 else 1 end
         where run_id = $1 and category_no = $2 and page_no = $3 and reading = $7 and lease = $4 and status = 'planned'`,
        [runId, page.categoryNo, page.pageNo, page.lease, why, costsAttempt, page.reading],
      );
    },

    /** Gives a page up for this run. */
    async fail(runId: number, page: ClaimedPage, why: string): Promise<void> {
      await db.query(
        `update ops.category_page set status = 'failed', worker_id = null, error = $5
         where run_id = $1 and category_no = $2 and page_no = $3 and reading = $6 and lease = $4 and status = 'planned'`,
        [runId, page.categoryNo, page.pageNo, page.lease, why, page.reading],
      );
    },

    /**
     * Batches to hand to the queue next, oldest plan first, marked as queued: a window, so that a queue that is
     * lost or a run that is stopped costs nothing. A batch handed over long ago and still not done is handed over again.
     * What fills the window lies among the oldest batches, those in the queue included: no others are looked at.
     */
    async takeWindow(sql: Askable, runId: number, limit: number, requeueAfterMs: number): Promise<PageBatch[]> {
      return rowsOf<PageBatch>(
        sql,
        `with open as (
           select batch_no, min(category_no) as category_no, min(page_no) as first_page, max(queued_at) as queued_at
           from ops.category_page u
           where run_id = $1 and status = 'planned'
           group by batch_no
           order by batch_no
           limit 2 * $2
         ), room as (
           select greatest(0, $2 - count(*)) as free from open where queued_at > clock_timestamp() - $3 * interval '1 ms'
         ), next as (
           select batch_no, category_no, first_page from open
           where queued_at is null or queued_at <= clock_timestamp() - $3 * interval '1 ms'
           order by batch_no limit (select free from room)
         ), marked as (
           update ops.category_page p set queued_at = clock_timestamp()
           from next where p.run_id = $1 and p.batch_no = next.batch_no and p.status = 'planned'
         )
         select batch_no as "batchNo", category_no as "categoryNo", first_page as "firstPage" from next order by batch_no`,
        [runId, limit, requeueAfterMs],
      );
    },

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

    /** True while a page is neither done nor failed. */
    async anyOutstanding(sql: Askable, runId: number): Promise<boolean> {
      const rows = await rowsOf(
        sql,
        `select 1 from ops.category_page where run_id = $1 and status = 'planned' limit 1`,
        [runId],
      );
      return rows.length > 0;
    },
  };
}

/** Plans categories to walk or to sample, page 1 each, each page 1 a batch of its own. */
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
    `insert into ops.category_page (run_id, category_no, page_no, batch_no)
     select $1, c.category_no, 1, nextval('ops.page_batch')
     from unnest($2::int[]) as c (category_no) order by c.category_no
     on conflict do nothing`,
    [runId, categories.map((c) => c.categoryNo)],
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
