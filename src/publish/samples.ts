import type { Transaction } from '../db/client.ts';
import { camelRows } from '../db/rows.ts';
import type { Assessment } from './assess.ts';
import { sampleSize } from './certificate.ts';

/** A category to request. */
export type Sample = {
  readonly categoryNo: number;
  readonly categoryId: string;
  /** The walked category above it, or itself. */
  readonly rootNo: number;
};

/**
 * Categories of which the first page was not requested, for comparison: children of walked ones on a first night, and
 * those outside the taxonomy. `left`: requests that are left; children count as planned pages.
 */
export async function chooseSamples(
  tx: Transaction,
  { runId, evidence }: Assessment,
  maxIdLength: number,
  left: number,
): Promise<Sample[]> {
  const outside = await camelRows<Sample>(tx, selectOutside, [runId, maxIdLength, left]);
  if (!evidence.isFirst) return outside;
  const children = await camelRows<Child>(tx, selectChildren, [runId, maxIdLength]);
  const isChosen = ({ isCertain, place, inAll }: Child) => isCertain || place <= sampleSize(inAll, overlookedChildren);
  return [...children.filter(isChosen), ...outside];
}

/** Share of a category's shown children that may lack products there without the sample finding one. */
const overlookedChildren = 0.125;

type Child = Sample & {
  readonly isCertain: boolean;
  /** By chance, stable across restarts, and of how many. */
  readonly place: number;
  readonly inAll: number;
};

/**
 * Children to compare with the categories above them, until a region has a certified night: later ones are compared
 * with earlier ones. Certainly those of which the category shows nothing, those of uncertain categories (all, after
 * nights that were published but not certified, or once a category was caught showing less than its children), and the
 * child at which each category ends, because a truncated listing does. Of the others, a random sample. Before anything
 * is published, every product is staged in full with its breadcrumb.
 */
const selectChildren = `
  with recursive root as materialized (
    select e.category_no, run.listed_before > 0
      or exists (select from ops.category_evidence c where c.run_id = $1 and (c.hidden > 0 or c.is_descended))
      or exists (
        select from ops.category_evidence c
        where c.run_id = $1 and c.root_no = e.category_no and (c.repairs > 0 or not c.is_sample and (
          c.seen + c.rejected < c.declared or c.pages_failed > 0 or c.pages_ending > 0))) as is_uncertain
    from ops.category_evidence e join ops.run_evidence run using (run_id)
    where e.run_id = $1 and e.root_no = e.category_no and not e.is_sample and not e.is_descended
  ), below (child_no, root_no, category_no) as (
    select s.category_no, root.category_no, s.category_no
    from root join stage.category s on s.run_id = $1 and s.parent_no = root.category_no
    union all
    select below.child_no, below.root_no, s.category_no
    from below join stage.category s on s.run_id = $1 and s.parent_no = below.category_no
  ), shown as materialized (
    select category_no as root_no, leaf_no, max(page_no * 100000::bigint + position) as last_at
    from stage.product where run_id = $1 and leaf_no is not null group by category_no, leaf_no
  ), child as (
    select below.child_no, below.root_no,
      bool_or(root.is_uncertain) or max(shown.last_at) is null
        or max(shown.last_at) = max(max(shown.last_at)) over (partition by below.root_no) as is_certain
    from below
    join root on root.category_no = below.root_no
    left join shown on shown.root_no = below.root_no and shown.leaf_no = below.category_no
    group by below.child_no, below.root_no
  )
  select *
  from (
    select s.category_no, s.category_id, child.root_no, child.is_certain,
      row_number() over (partition by is_certain order by md5($1 || '/' || s.category_id))::int as place,
      count(*) over (partition by is_certain)::int as in_all
    from child
    join stage.category s on s.run_id = $1 and s.category_no = child.child_no
  ) as placed
  where length(category_id) <= $2
    and not exists (select from ops.category_crawl c where c.run_id = $1 and c.category_no = placed.category_no)
  order by 1`;

/** Top-level categories that were not requested, of last night's taxonomy or tonight's breadcrumbs: ten at most. */
const selectOutside = `
  with known as materialized (
    select category_no, category_id from stage.category where run_id = $1
    union
    select category_no, category_id from ops.category_crawl where run_id = $1
  ), named as (
    select c.category_id, true as is_gone
    from night join catalog.category c using (region)
    where c.parent_key is null and c.last_seen_at is null and c.label <> 'not in taxonomy'
    union
    select o."categoryId", false
    from night cross join jsonb_to_recordset(night.outside_taxonomy) as o ("categoryId" text, path text, depth int)
    where o.depth = 0 and o.path <> o."categoryId"
  ), numbered as (
    select category_id,
      (select coalesce(max(category_no), 0) from known)
        + row_number() over (order by bool_or(is_gone) desc, category_id)::int as category_no
    from named
    where length(category_id) <= $2 and category_id not in (select category_id from known)
    group by category_id
  )
  select category_id, category_no, category_no as root_no
  from numbered order by category_no limit least($3::int, 10)`;
