import type { Step } from './step.ts';

/**
 * A product belongs to its breadcrumb's deepest category, and to every walked category that lists it although the
 * breadcrumb does not pass through: a frontier category, also where its children were walked for it. Where categories show
 * it with breadcrumbs of their own, it belongs to the deepest category of each. Leaving any of them takes a run that is not partial;
 * leaving a listing one that walked it and is in no doubt about it.
 */
export const productCategory: Step = {
  name: 'product_category',
  statements: [
    `create temporary table leaf on commit drop as
     select w.product_key, w.is_new, c.category_key
     from winner w cross join night
     left join stage.category s on s.run_id = night.run_id and s.category_no = w.leaf_no
     join catalog.category c on c.region = night.region and c.category_id = coalesce(s.category_id, w.leaf_id)`,
    `create temporary table extra on commit drop as
     select distinct product_key, category_key
     from (
       select seen.product_key, page.category_no
       from night
       join ops.category_page page using (run_id)
       cross join lateral unnest(page.extra_keys) as seen (product_key)
       union all
       select w.product_key, s.category_no
       from night
       join stage.listing s using (run_id)
       join catalog.product w on w.region = night.region and w.product_id = s.product_id
       where s.is_extra
     ) as listed
     cross join night
     join ops.category_crawl crawl on crawl.run_id = night.run_id and crawl.category_no = listed.category_no
     join ops.category_crawl root on root.run_id = night.run_id and root.category_no = crawl.root_no
     join catalog.category c on c.region = night.region and c.category_id = root.category_id`,
    // What the winner's form does not say: the breadcrumbs of the forms that lost, or else where they were listed.
    // In two steps: PostgreSQL takes 20 ms to find the best order of nine tables, every night, for a handful of rows.
    `insert into extra
     with lost as materialized (
       select p.product_key, s.category_no, s.leaf_no, s.leaf_id
       from night
       join ops.conflict k using (run_id)
       join stage.listing s on s.run_id = k.run_id and s.product_id = k.product_id and not s.is_extra
       join catalog.product p on p.region = night.region and p.product_id = s.product_id
       where not exists (
         select from winner w
         where w.product_key = p.product_key and (w.leaf_no, w.leaf_id) is not distinct from (s.leaf_no, s.leaf_id))
     ),
     shown as materialized (
       select l.*, root.category_id as root_id
       from night
       cross join lost l
       join ops.category_crawl crawl on crawl.run_id = night.run_id and crawl.category_no = l.category_no
       join ops.category_crawl root on root.run_id = night.run_id and root.category_no = crawl.root_no
     )
     select distinct s.product_key, coalesce(own.category_key, listed.category_key)
     from night
     cross join shown s
     join catalog.category listed on listed.region = night.region and listed.category_id = s.root_id
     left join stage.category named on named.run_id = night.run_id and named.category_no = s.leaf_no
     left join catalog.category own on own.region = night.region and own.category_id = coalesce(named.category_id, s.leaf_id)`,
    // Of what was also shown as the catalogue has it, only less prominently, the breadcrumb still holds.
    `insert into extra
     select distinct pc.product_key, pc.category_key
     from winner w
     join unchanged_observation s using (product_key)
     join catalog.product_category pc on pc.product_key = w.product_key and pc.valid_to is null and pc.source = 'breadcrumb'
     where not w.is_new`,
    'analyze extra',
    // The memberships to have: each is a breadcrumb's where it is known by both. A partial run may not have seen the page
    // that says otherwise: what it found no breadcrumb for is held against listings from then on.
    `create temporary table membership on commit drop as
     select product_key, category_key, min(source) as source
     from (
       select product_key, category_key, 'breadcrumb'::catalog.membership_source as source from leaf
       union all
       select product_key, category_key, 'listing' from extra
       union all
       select e.product_key, e.category_key, 'breadcrumb'
       from extra e
       join catalog.product_category pc using (product_key, category_key)
       where pc.valid_to is null and pc.source = 'breadcrumb'
         and not exists (select from winner w where w.product_key = e.product_key)
       union all
       select pc.product_key, pc.category_key, 'listing'
       from night
       join winner w on night.is_partial and not w.is_new
       join catalog.product_category pc on pc.product_key = w.product_key and pc.valid_to is null and pc.source = 'breadcrumb'
     ) as known
     group by product_key, category_key`,
    'analyze membership',
    // Categories of which the run saw all that they list: those below one that was walked, or has ended, but for what is in doubt.
    `create temporary table fully_listed on commit drop as
     select distinct below.category_key
     from night
     join catalog.category top using (region)
     left join ops.category_crawl crawl on crawl.run_id = night.run_id and crawl.category_id = top.category_id
     join catalog.category_ancestor below on below.ancestor_key = top.category_key
     where not night.is_partial
       and (top.last_seen_at is not null or crawl.category_no = crawl.root_no and not crawl.is_sample)
       and not exists (
         select from doubted
         join catalog.category doubtful on doubtful.region = night.region and doubtful.category_id = doubted.category_id
         join catalog.category_ancestor under on under.ancestor_key = doubtful.category_key and under.category_key = below.category_key
         join catalog.category_ancestor above on above.category_key = doubtful.category_key and above.ancestor_key = top.category_key)`,
    // The memberships that the night can tell about; it says nothing of the others.
    `create temporary table told_membership on commit drop as
     select pc.product_key, pc.category_key
     from winner w
     join catalog.product_category pc on pc.product_key = w.product_key and pc.valid_to is null and pc.source = 'breadcrumb'
     where not w.is_new
     union all
     select pc.product_key, pc.category_key
     from catalog.product_category pc
     where pc.valid_to is null and pc.source = 'listing' and pc.category_key in (select category_key from fully_listed)
       and pc.product_key not in (
         select p.product_key
         from night cross join unconfirmed kept
         join catalog.product p on p.region = night.region and p.product_id = kept.product_id)`,
    `update catalog.product_category pc
     set valid_to = night.observed_at
     from told_membership told cross join night
     where pc.product_key = told.product_key and pc.category_key = told.category_key and pc.valid_to is null
       and not exists (
         select from membership m where m.product_key = told.product_key and m.category_key = told.category_key)`,
    `update catalog.product_category pc
     set source = m.source
     from membership m
     where pc.product_key = m.product_key and pc.category_key = m.category_key and pc.valid_to is null and pc.source <> m.source`,
    `insert into catalog.product_category (product_key, category_key, valid_from, source)
     select m.product_key, m.category_key, night.observed_at, m.source
     from membership m cross join night
     where not exists (
       select from catalog.product_category pc
       where pc.product_key = m.product_key and pc.category_key = m.category_key and pc.valid_to is null)
     order by m.product_key, m.category_key`,
  ],
};
