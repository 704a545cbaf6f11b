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

/** What the pages say about a repeating category. */
export type RepeatingPages = Omit<RepeatingEvidence, 'unseen'>;

/** Evidence of the pages about repeating categories. Needs the tables of `collectObservations`. */
export async function readRepeating(
  tx: Queryable,
  runId: number,
  repeating: readonly CategoryEvidence[],
): Promise<RepeatingPages[]> {
  if (repeating.length === 0) return [];
  const rows = await rowsOf<Held>(tx, selectHeld, [runId, repeating.map(({ categoryNo }) => categoryNo)]);
  const held = new Map(rows.map((row) => [row.categoryNo, row]));
  return repeating.map(({ categoryNo, categoryId, path, totals, pagesPlanned, pagesDone }) => {
    const { known, onlyThere } = held.get(categoryNo)!;
    const declared = totals.length === 1 ? totals[0]! : null;
    return { categoryNo, categoryId, path, declared, known, onlyThere, pagesUnread: pagesPlanned - pagesDone };
  });
}

/** Adds the members that no page showed, and what their own pages say. Needs the table `unseen`. */
export async function addUnseenMembers(
  tx: Queryable,
  runId: number,
  repeating: readonly RepeatingPages[],
): Promise<RepeatingEvidence[]> {
  if (repeating.length === 0) return [];
  const unseen = await rowsOf<UnseenMember>(tx, selectUnseenMembers, [
    runId,
    repeating.map(({ categoryNo }) => categoryNo),
  ]);
  return repeating.map((category) => {
    const members = unseen.filter(({ categoryNo }) => categoryNo === category.categoryNo);
    return {
      ...category,
      unseen: {
        gone: members.filter(({ isGone }) => isGone).length,
        toAsk: members.filter(({ isAsked }) => !isAsked).map(({ productId }) => productId),
        doubtful: members.filter(({ isAsked, isGone }) => isAsked && !isGone).length,
      },
    };
  });
}

interface Held {
  readonly categoryNo: number;
  readonly known: number;
  readonly onlyThere: number;
}

interface UnseenMember {
  readonly categoryNo: number;
  readonly productId: string;
  readonly isAsked: boolean;
  readonly isGone: boolean;
}

/** SQL: the repeating categories `$2` of run `$1`, and their members in the catalogue. */
const members = `
  repeating as materialized (
    select c.category_no, top.category_key
    from ops.run r join ops.category_crawl c using (run_id)
    join catalog.category top on top.region = r.region and top.category_id = c.category_id
    where r.run_id = $1 and c.category_no = any($2::int[])
  ), member as materialized (
    select repeating.category_no, pc.product_key
    from repeating join catalog.product_category pc on pc.category_key = repeating.category_key and pc.valid_to is null
  )`;

const selectHeld = `
  with ${members}, there as materialized (
    select s.category_no, s.ref from observation s where s.category_no = any($2::int[])
  ), seen as materialized (
    -- Observations are read once; only those of few products matter.
    select s.category_no, s.ref from observation s
    where s.ref in (select product_key from member union all select ref from there)
  ), elsewhere as materialized (
    select seen.ref from seen
    join ops.category_crawl c on c.run_id = $1 and c.category_no = seen.category_no and not c.is_sample
  ), known as (
    select member.category_no, count(*)::int as products
    from member
    where exists (select from elsewhere where elsewhere.ref = member.product_key)
    group by member.category_no
  ), only_there as (
    select there.category_no, count(*)::int as products
    from there where not exists (select from elsewhere where elsewhere.ref = there.ref)
    group by there.category_no
  )
  select repeating.category_no as "categoryNo", coalesce(known.products, 0) as known,
    coalesce(only_there.products, 0) as "onlyThere"
  from repeating
  left join known using (category_no)
  left join only_there using (category_no)`;

const selectUnseenMembers = `
  with ${members}
  select member.category_no as "categoryNo", u.product_id as "productId", d.status is not null as "isAsked",
    ${saysGone} as "isGone"
  from member join unseen u using (product_key)
  left join ops.detail_fetch d on d.run_id = $1 and d.product_id = u.product_id
  left join stage.detail s on s.run_id = $1 and s.product_id = u.product_id
  order by u.product_id`;
