import type { CategoryNode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { camelRows } from '../../db/rows.ts';
import { pageSize } from '../ledger/page-size.ts';
import type { Run } from '../run/runs.ts';
import { type FrontierLimits, planFrontier } from './frontier.ts';

interface ChoiceLimits extends Pick<FrontierLimits, 'maxIdLength'> {
  /** Null: no limit. */
  readonly maxRequests: number | null;
}

/** Categories of a run, which together cover the taxonomy. */
interface Chosen {
  /** Categories to read, in this order. */
  readonly toRead: readonly CategoryNode[];
  /** Categories that are not read tonight, because the others list all their products. */
  readonly repeating: readonly CategoryNode[];
}

/** Chooses the fewest categories that cover the taxonomy, and leaves out those that repeated others lately. */
export async function chooseCategories(
  sql: Queryable,
  run: Pick<Run, 'runId' | 'region' | 'snapshotDate' | 'observedAt'>,
  nodes: readonly CategoryNode[],
  limits: ChoiceLimits,
): Promise<Chosen> {
  const frontier = await readFrontier(sql, run, nodes, limits);
  const rows = await camelRows<{ categoryId: string }>(sql, selectRepeating, [
    run.runId,
    run.region,
    run.snapshotDate,
    frontier.map(({ categoryId }) => categoryId),
  ]);
  const repeating = new Set(rows.map(({ categoryId }) => categoryId));
  return {
    toRead: frontier.filter(({ categoryId }) => !repeating.has(categoryId)),
    repeating: frontier.filter(({ categoryId }) => repeating.has(categoryId)),
  };
}

/** Repeating categories are read every third night. Smaller ones are read every night. */
const readEvery = 3;
const minPages = 12;

/**
 * Categories that were read completely less than three nights ago, in a certified night, and that no product's
 * breadcrumb leads to. None if the last night is partial.
 */
const selectRepeating = `
  with night as materialized (
    select run_id, snapshot_date, observed_at, verdict from ops.published_run
    where region = $2 and run_id <> $1 and snapshot_date > $3::date - ${readEvery}
  ), home as materialized (
    select distinct unnest(ancestors) as category_key
    from catalog.category where category_key in (
      select category_key from catalog.product_category where valid_to is null and source = 'breadcrumb')
  )
  select distinct top.category_id
  from night join ops.category_crawl c using (run_id)
  join catalog.category top on top.region = $2 and top.category_id = c.category_id
  where night.verdict <> 'partial' and c.category_id = any($4::text[])
    and c.category_no = c.root_no and not c.is_sample and not c.is_descended
    and c.pages_planned >= ${minPages}
    and exists (
      select from ops.category_evidence e
      where e.run_id = c.run_id and e.category_no = c.category_no and e.seen = e.declared)
    and (select verdict <> 'partial' from night order by observed_at desc limit 1)
    and top.category_key not in (select category_key from home)`;

/**
 * The fewest categories that cover the taxonomy. If the run's requests are limited, those unread for longest come
 * first, and a category with more pages than the run has requests is replaced by its children.
 */
async function readFrontier(
  sql: Queryable,
  run: Pick<Run, 'region' | 'observedAt'>,
  nodes: readonly CategoryNode[],
  { maxIdLength, maxRequests }: ChoiceLimits,
): Promise<readonly CategoryNode[]> {
  if (maxRequests === null) return planFrontier(nodes, { maxIdLength }).toRead;
  const rows = await camelRows<CategoryPast>(sql, selectPast, [run.region, run.observedAt]);
  const past = new Map(rows.map((row) => [row.categoryId, row]));
  const tooLarge = rows.filter(({ pages }) => pages !== null && pages > maxRequests);
  const { toRead } = planFrontier(nodes, { maxIdLength, tooLarge: new Set(tooLarge.map((row) => row.categoryId)) });
  const lastRead = ({ categoryId }: CategoryNode) => past.get(categoryId)?.lastReadOn ?? '';
  return [...toRead].sort((a, b) => (lastRead(a) < lastRead(b) ? -1 : lastRead(a) > lastRead(b) ? 1 : 0));
}

interface CategoryPast {
  readonly categoryId: string;
  /** Pages that it declared last; null: none were declared. */
  readonly pages: number | null;
  /** Last night that read it completely; null: none. */
  readonly lastReadOn: string | null;
}

/** Nights long past have no pages any more. */
const selectPast = `
  select c.category_id,
    (array_agg(ceil(c.declared_last::numeric / ${pageSize})::int order by r.observed_at desc)
      filter (where c.declared_last is not null))[1] as pages,
    (max(r.snapshot_date) filter (where not c.is_sample and not exists (
      select from ops.category_page p
      where p.run_id = c.run_id and p.category_no = c.category_no and p.status <> 'done')))::text as last_read_on
  from ops.published_run r join ops.category_crawl c using (run_id)
  where r.region = $1 and r.observed_at < $2 and r.observed_at > $2::timestamptz - interval '90 days'
    and c.root_no = c.category_no
  group by c.category_id`;
