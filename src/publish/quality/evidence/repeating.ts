import type { RepeatingListing } from '../../../crawl/plan/repeating.ts';
import type { Queryable } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';
import { saysGone } from '../../own-page.ts';
import type { CategoryEvidence } from './category-evidence.ts';

/** A repeating category of the frontier that was not walked tonight. */
export interface RepeatingEvidence extends RepeatingListing {
  readonly categoryNo: number;
  readonly categoryId: string;
  readonly path: string;
}

/** Evidence about repeating categories. Needs the tables of `collectObservations` and `readUnseen`. */
export async function readRepeating(
  tx: Queryable,
  runId: number,
  repeating: readonly CategoryEvidence[],
): Promise<RepeatingEvidence[]> {
  if (repeating.length === 0) return [];
  const rows = await rowsOf<Held>(tx, selectHeld, [runId, repeating.map(({ categoryNo }) => categoryNo)]);
  const held = new Map(rows.map((row) => [row.categoryNo, row]));
  return repeating.map(({ categoryNo, categoryId, path, totals, pagesPlanned, pagesDone }) => {
    const { known, onlyThere, unseen } = held.get(categoryNo)!;
    return {
      categoryNo,
      categoryId,
      path,
      declared: totals.length === 1 ? totals[0]! : null,
      known,
      onlyThere,
      pagesUnread: pagesPlanned - pagesDone,
      unseen: {
        gone: unseen.filter(({ isGone }) => isGone).length,
        toAsk: unseen.filter(({ isAsked }) => !isAsked).map(({ productId }) => productId),
        doubtful: unseen.filter(({ isAsked, isGone }) => isAsked && !isGone).length,
      },
    };
  });
}

interface Held {
  readonly categoryNo: number;
  readonly known: number;
  readonly onlyThere: number;
  readonly unseen: readonly { readonly productId: string; readonly isAsked: boolean; readonly isGone: boolean }[];
}

const selectHeld = `
  with repeating as materialized (
    select c.category_no, top.category_key
    from ops.run r join ops.category_crawl c using (run_id)
    join catalog.category top on top.region = r.region and top.category_id = c.category_id
    where r.run_id = $1 and c.category_no = any($2::int[])
  ), elsewhere as not materialized (
    select s.ref from observation s
    join ops.category_crawl c on c.run_id = $1 and c.category_no = s.category_no and not c.is_sample
  ), member as materialized (
    select repeating.category_no, pc.product_key
    from repeating join catalog.product_category pc on pc.category_key = repeating.category_key and pc.valid_to is null
  ), known as (
    select member.category_no, count(*)::int as products
    from member
    where exists (select from elsewhere where elsewhere.ref = member.product_key)
    group by member.category_no
  ), only_there as (
    select s.category_no, count(*)::int as products
    from observation s
    where s.category_no = any($2::int[]) and not exists (select from elsewhere where elsewhere.ref = s.ref)
    group by s.category_no
  ), unseen_member as (
    select member.category_no, jsonb_agg(jsonb_build_object('productId', u.product_id, 'isAsked', d.status is not null,
      'isGone', ${saysGone}) order by u.product_id) as products
    from member join unseen u using (product_key)
    left join ops.detail_fetch d on d.run_id = $1 and d.product_id = u.product_id
    left join stage.detail s on s.run_id = $1 and s.product_id = u.product_id
    group by member.category_no
  )
  select repeating.category_no as "categoryNo", coalesce(known.products, 0) as known,
    coalesce(only_there.products, 0) as "onlyThere", coalesce(unseen_member.products, '[]') as unseen
  from repeating
  left join known using (category_no)
  left join only_there using (category_no)
  left join unseen_member using (category_no)`;
