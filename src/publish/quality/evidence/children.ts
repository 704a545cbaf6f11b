import { createHash } from 'node:crypto';
import { type ShownChild, sampleChildren } from '../../../crawl/plan/child-sample.ts';
import type { Queryable } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';

/** A child category sampled to check its parent's listing. */
export interface SampledChild extends ShownChild {
  /** Whether its first page is planned, or the child is walked itself. */
  readonly isPlanned: boolean;
  /** Whether a page of it was read. */
  readonly isRead: boolean;
}

/**
 * Children of walked categories that a region samples until it has a certified night. Later nights are compared with
 * earlier ones and sample none. If earlier nights were published but not certified, all children count as doubtful.
 * Needs the tables of `collectObservations`.
 */
export async function readSampledChildren(
  tx: Queryable,
  runId: number,
  isDoubted: (rootNo: number) => boolean,
): Promise<SampledChild[]> {
  const [region] = await rowsOf<{ hasCertified: boolean; hasPublished: boolean }>(tx, selectPast, [runId]);
  if (region!.hasCertified) return [];
  const known = await rowsOf<Omit<SampledChild, 'isDoubted'>>(tx, selectChildren, [runId]);
  const children = known.map((child) => ({
    ...child,
    isDoubted: region!.hasPublished || isDoubted(child.rootNo),
  }));
  const chance = (categoryId: string) => createHash('md5').update(`${runId}/${categoryId}`).digest('hex');
  const chosen = new Set(sampleChildren(children, chance).map(({ categoryNo }) => categoryNo));
  return children.filter(({ categoryNo }) => chosen.has(categoryNo));
}

const selectPast = `
  select coalesce(bool_or(earlier.verdict <> 'partial'), false) as "hasCertified",
    count(earlier.run_id) > 0 as "hasPublished"
  from ops.run r
  left join ops.published_run earlier
    on earlier.region = r.region and earlier.observed_at < r.observed_at
  where r.run_id = $1`;

/** Before anything is published, every product is staged in full with its breadcrumb. */
const selectChildren = `
  with recursive root as materialized (
    select category_no from ops.category_crawl
    where run_id = $1 and root_no = category_no and not is_sample and not is_descended
  ), below (child_no, root_no, category_no) as (
    select s.category_no, root.category_no, s.category_no
    from root join stage.category s on s.run_id = $1 and s.parent_no = root.category_no
    union all
    select below.child_no, below.root_no, s.category_no
    from below join stage.category s on s.run_id = $1 and s.parent_no = below.category_no
  ), shown as materialized (
    select category_no as root_no, leaf_no, count(distinct product_id)::int as products
    from stage.product where run_id = $1 and leaf_no is not null group by category_no, leaf_no
  ), last_shown as materialized (
    select distinct on (s.category_no) s.category_no as root_no, s.leaf_no
    from stage.product s join below on below.root_no = s.category_no and below.category_no = s.leaf_no
    where s.run_id = $1
    order by s.category_no, s.page_no desc, s.position desc
  )
  select child.category_no as "categoryNo", child.category_id as "categoryId", below.root_no as "rootNo",
    coalesce(sum(shown.products), 0)::int as shown,
    coalesce(bool_or(last_shown.leaf_no is not null), false) as "isLast",
    exists (select from ops.category_crawl c where c.run_id = $1 and c.category_no = child.category_no) as "isPlanned",
    exists (
      select from ops.category_page p
      where p.run_id = $1 and p.category_no = child.category_no and p.status = 'done') as "isRead"
  from below
  join stage.category child on child.run_id = $1 and child.category_no = below.child_no
  left join shown on shown.root_no = below.root_no and shown.leaf_no = below.category_no
  left join last_shown on last_shown.root_no = below.root_no and last_shown.leaf_no = below.category_no
  group by child.category_no, child.category_id, below.root_no
  order by child.category_no`;
