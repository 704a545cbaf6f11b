import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** Maximum attempts per page, each with the gateway's own retries. */
export const maxPageAttempts = 4;

/**
 * Maximum attempts of a claimed page. A page that repeats or replaces failed pages gets one: if a whole category fails,
 * its children probably fail, too, and every request costs money.
 */
export function maxAttempts({ isSuspect }: { readonly isSuspect: boolean }): number {
  return isSuspect ? 1 : maxPageAttempts;
}

/** Plans page 1 of categories to read or to sample. The first are read first. */
export async function planCategories(
  sql: Queryable,
  runId: number,
  categories: readonly PlannedCategory[],
): Promise<void> {
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
    `insert into ops.category_page (run_id, category_no, page_no)
     select $1, category_no, 1 from unnest($2::int[]) with ordinality as c (category_no, n) order by n
     on conflict do nothing`,
    [runId, categories.map((c) => c.categoryNo)],
  );
}

interface PlannedCategory {
  readonly categoryNo: number;
  readonly categoryId: string;
  /** The frontier category that it helps to cover; a frontier category has its own number. */
  readonly rootNo: number;
  /** Only its first page is requested. */
  readonly isSample?: boolean;
}

/** Records categories that the run does not read: they have no pages. */
export async function leaveOutCategories(
  sql: Queryable,
  runId: number,
  categories: readonly Pick<PlannedCategory, 'categoryNo' | 'categoryId'>[],
): Promise<void> {
  await sql.query(
    `insert into ops.category_crawl (run_id, category_no, category_id, root_no, is_sample, pages_planned)
     select $1, c.category_no, c.category_id, c.category_no, true, 0
     from unnest($2::int[], $3::text[]) as c (category_no, category_id) on conflict do nothing`,
    [runId, categories.map((c) => c.categoryNo), categories.map((c) => c.categoryId)],
  );
}

/** Whether any of these products is missing from the category's earlier pages, as far as those are read. */
export async function bringsNew(
  sql: Queryable,
  runId: number,
  categoryNo: number,
  pageNo: number,
  products: readonly { readonly productId: string }[],
): Promise<boolean> {
  const [row] = await rowsOf<{ brings_new: boolean }>(
    sql,
    `select exists (
       select from unnest($4::text[]) as shown (product_id)
       where not exists (
         select from (
           select s.product_id from stage.product s where s.run_id = $1 and s.category_no = $2 and s.page_no < $3
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
}

/**
 * Gives each failed page another attempt while the run still reads pages, because its cause may be fixed. It has at
 * most twice the usual number, so that a script repeating the command comes to an end.
 */
export async function revivePages(sql: Queryable, runId: number): Promise<void> {
  await sql.query(
    `update ops.category_page p set status = 'planned', not_before = null
     from ops.run r
     where r.run_id = $1 and r.status = 'open' and r.phase = 'categories'
       and p.run_id = $1 and p.status = 'failed' and p.attempts < $2
       and not exists (
         select from ops.category_page later
         where later.run_id = $1 and later.category_no = p.category_no and later.page_no = p.page_no
           and later.attempt_no > p.attempt_no)`,
    [runId, 2 * maxPageAttempts],
  );
}
