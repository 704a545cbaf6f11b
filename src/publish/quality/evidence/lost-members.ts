import type { Queryable } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';

/**
 * A walked category that listed products outside their breadcrumb last night but not tonight, although other categories
 * show them. Offer pages change like this, but truncated listings look the same.
 */
export interface LostMembers {
  readonly rootNo: number;
  /** Members outside their breadcrumb: those lost without joining another such category, and new ones. */
  readonly lost: number;
  readonly joined: number;
  /** Products that it listed tonight. */
  readonly seen: number;
  /**
   * Whether its own listing fell short tonight, and not on the previous night: products that its children do not show
   * either may be missing for the same reason.
   */
  readonly isCutOff: boolean;
  /** Net loss that the previous night doubted. */
  readonly fallBefore: number;
}

/** Needs the tables of `collectObservations`. */
export async function readLostMembers(tx: Queryable, runId: number): Promise<LostMembers[]> {
  return rowsOf<LostMembers>(
    tx,
    `with walked as materialized (
       select crawl.category_no, c.category_key, crawl.category_id, crawl.is_descended, r.region, r.snapshot_date
       from ops.run r
       join ops.category_crawl crawl
         on crawl.run_id = r.run_id and crawl.category_no = crawl.root_no and not crawl.is_sample
       join catalog.category c on c.region = r.region and c.category_id = crawl.category_id
       where r.run_id = $1
     ), listed as materialized (
       select walked.category_no, pc.product_key
       from walked
       join catalog.product_category pc
         on pc.category_key = walked.category_key and pc.valid_to is null and pc.source = 'listing'
     ), seen as materialized (
       -- Observations are read once; only those of few products matter.
       select s.category_no, s.ref, s.extra from observation s where s.ref in (select product_key from listed)
     ), missed as materialized (
       select listed.category_no, listed.product_key
       from listed
       where exists (select from seen s where s.ref = listed.product_key)
         and not exists (
           select from seen s
           join ops.category_crawl crawl on crawl.run_id = $1 and crawl.category_no = s.category_no
           where crawl.root_no = listed.category_no and s.ref = listed.product_key)
     ), moved as materialized (
       select distinct s.ref
       from seen s
       join missed on missed.product_key = s.ref
       join ops.category_crawl crawl on crawl.run_id = $1 and crawl.category_no = s.category_no
       join ops.category_crawl root on root.run_id = $1 and root.category_no = crawl.root_no
       join ops.run r on r.run_id = $1
       left join catalog.category c on c.region = r.region and c.category_id = root.category_id
       where s.extra > 0 and not exists (
         select from catalog.product_category pc
         where pc.product_key = s.ref and pc.category_key = c.category_key and pc.valid_to is null)
     ), gone as (
       select category_no, count(*)::int as products
       from missed
       where not exists (select from moved where moved.ref = missed.product_key)
       group by category_no
     )
     select category_no as "rootNo", gone.products as lost, shown.joined, shown.seen,
       coalesce(before.fall, 0) as "fallBefore",
       walked.is_descended and not coalesce(before.is_descended, false) as "isCutOff"
     from gone
     join walked using (category_no)
     cross join lateral (
       select count(distinct s.ref)::int as seen,
              (count(distinct s.ref) filter (where s.extra > 0 and not exists (
                select from catalog.product_category pc
                where pc.product_key = s.ref
                  and pc.category_key = walked.category_key
                  and pc.valid_to is null)))::int as joined
       from observation s join ops.category_crawl crawl on crawl.run_id = $1 and crawl.category_no = s.category_no
       where crawl.root_no = walked.category_no) as shown
     left join lateral (
       select exists (
                select from ops.category_crawl crawl
                where crawl.run_id = last.run_id
                  and crawl.category_id = walked.category_id
                  and crawl.is_descended) as is_descended,
              (select (doubted.value ->> 'lost')::int - (doubted.value ->> 'joined')::int
               from ops.certificate cross join lateral jsonb_array_elements(evidence -> 'lostMembers') as doubted
               where run_id = last.run_id and doubted.value ->> 'categoryId' = walked.category_id
                 and evidence -> 'uncertain' ? walked.category_id) as fall
       from (
         select run_id from ops.published_run earlier
         where earlier.region = walked.region
           and earlier.snapshot_date < walked.snapshot_date
         order by earlier.observed_at desc limit 1) as last) as before on true
     order by category_no`,
    [runId],
  );
}
