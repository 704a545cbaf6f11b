import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { pagesDeclared } from '../plan/paging.ts';
import type { Repair } from '../plan/repair.ts';
import { pageSize as sqlPageSize } from './page-size.ts';
import type { Pages } from './pages.ts';

/** Adds a repair to the run's plan. Not idempotent: calling it twice plans the repair twice. */
export async function planRepair(sql: Queryable, pages: Pages, runId: number, repair: Repair): Promise<void> {
  const { kind, categoryNo } = repair;
  if (kind === 'reread') return reread(sql, runId, categoryNo, repair.pages);

  const children = repair.children.map((child) => ({ ...child, rootNo: repair.rootNo, isSample: kind === 'sample' }));
  if (kind === 'descend') {
    await sql.query('update ops.category_crawl set is_descended = true where run_id = $1 and category_no = $2', [
      runId,
      categoryNo,
    ]);
  }
  await pages.planCategories(sql, runId, children);
  if (kind !== 'sample') await walkSamples(sql, pages, runId, children);
}

async function reread(sql: Queryable, runId: number, categoryNo: number, pageNos: readonly number[]): Promise<void> {
  await sql.query('update ops.category_crawl set repairs = repairs + 1 where run_id = $1 and category_no = $2', [
    runId,
    categoryNo,
  ]);
  await sql.query(
    `insert into ops.category_page (run_id, category_no, page_no, reading)
     select $1, $2, w.page_no, 1 + coalesce(max(p.reading), 0)
     from unnest($3::int[]) as w (page_no)
     left join ops.category_page p on p.run_id = $1 and p.category_no = $2 and p.page_no = w.page_no
     group by w.page_no`,
    [runId, categoryNo, pageNos],
  );
}

/** Extends samples to complete walks: their first page is read already. */
async function walkSamples(
  sql: Queryable,
  pages: Pages,
  runId: number,
  children: readonly { readonly categoryNo: number }[],
): Promise<void> {
  const sampled = await rowsOf<{ categoryNo: number; total: number | null; pageSize: number }>(
    sql,
    `update ops.category_crawl c set is_sample = false
     where run_id = $1 and category_no = any($2) and is_sample
     returning category_no as "categoryNo", declared_last as total, ${sqlPageSize} as "pageSize"`,
    [runId, children.map(({ categoryNo }) => categoryNo)],
  );
  for (const { categoryNo, total, pageSize } of sampled) {
    // Without a total, the second page shows whether there is a third.
    const planned = total === null ? 2 : pagesDeclared(total, pageSize);
    await pages.extend(sql, runId, categoryNo, planned);
  }
}
