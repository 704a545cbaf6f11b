import type { Step } from './step.ts';

/**
 * A product belongs to its breadcrumb's deepest category, and to every walked category that lists it although the
 * breadcrumb does not pass through: a frontier category, also where its children were walked for it. Where categories show
 * it with breadcrumbs of their own, it belongs to the deepest category of each. Leaving any of them takes a certified run;
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
    `insert into extra
     select distinct p.product_key, coalesce(own.category_key, listed.category_key)
     from night
     join ops.conflict k using (run_id)
     join stage.listing s on s.run_id = k.run_id and s.product_id = k.product_id and not s.is_extra
     join catalog.product p on p.region = night.region and p.product_id = s.product_id
     join ops.category_crawl crawl on crawl.run_id = night.run_id and crawl.category_no = s.category_no
     join ops.category_crawl root on root.run_id = night.run_id and root.category_no = crawl.root_no
     join catalog.category listed on listed.region = night.region and listed.category_id = root.category_id
     left join stage.category named on named.run_id = night.run_id and named.category_no = s.leaf_no
     left join catalog.category own on own.region = night.region and own.category_id = coalesce(named.category_id, s.leaf_id)
     where not exists (
       select from winner w
       where w.product_key = p.product_key and (w.leaf_no, w.leaf_id) is not distinct from (s.leaf_no, s.leaf_id))`,
    // Of what was also shown as the catalogue has it, only less prominently, the breadcrumb still holds.
    `insert into extra
     select distinct pc.product_key, pc.category_key
     from winner w
     join unchanged_observation s using (product_key)
     join catalog.product_category pc on pc.product_key = w.product_key and pc.valid_to is null and pc.source = 'breadcrumb'
     where not w.is_new`,
    'analyze extra',
    // A category may become the winner's own, or cease to be it, without the product leaving it.
    `update catalog.product_category pc
     set source = 'breadcrumb'
     from leaf l
     where not l.is_new and pc.product_key = l.product_key and pc.category_key = l.category_key and pc.valid_to is null
       and pc.source = 'listing'`,
    `update catalog.product_category pc
     set source = 'listing'
     from winner w
     join extra e using (product_key)
     where not w.is_new and pc.product_key = w.product_key and pc.category_key = e.category_key and pc.valid_to is null
       and pc.source = 'breadcrumb'
       and not exists (select from leaf l where l.product_key = pc.product_key and l.category_key = pc.category_key)`,
    `create temporary table left_behind on commit drop as
     select pc.product_key, pc.category_key
     from winner w
     join catalog.product_category pc on pc.product_key = w.product_key and pc.valid_to is null and pc.source = 'breadcrumb'
     where not w.is_new
       and not exists (select from leaf l where l.product_key = pc.product_key and l.category_key = pc.category_key)`,
    `update catalog.product_category pc
     set valid_to = night.observed_at
     from left_behind l cross join night
     where night.is_certified and pc.product_key = l.product_key and pc.category_key = l.category_key and pc.valid_to is null`,
    // An uncertified run may not have seen the page that says otherwise: from now on it is held against listings.
    `update catalog.product_category pc
     set source = 'listing'
     from left_behind l cross join night
     where not night.is_certified and pc.product_key = l.product_key and pc.category_key = l.category_key and pc.valid_to is null`,
    // Categories whose walk, or whose end, settles what they list: those below one that was walked, but for what is in doubt.
    `create temporary table settled on commit drop as
     select distinct below.category_key
     from night
     join catalog.category top using (region)
     left join ops.category_crawl crawl on crawl.run_id = night.run_id and crawl.category_id = top.category_id
     join catalog.category_ancestor below on below.ancestor_key = top.category_key
     where (top.last_seen_at is not null or crawl.category_no = crawl.root_no and not crawl.is_sample)
       and not exists (
         select from doubted
         join catalog.category doubtful on doubtful.region = night.region and doubtful.category_id = doubted.category_id
         join catalog.category_ancestor under on under.ancestor_key = doubtful.category_key and under.category_key = below.category_key
         join catalog.category_ancestor above on above.category_key = doubtful.category_key and above.ancestor_key = top.category_key)`,
    `update catalog.product_category pc
     set valid_to = night.observed_at
     from night
     where night.is_certified and pc.valid_to is null and pc.source = 'listing'
       and pc.category_key in (select category_key from settled)
       and not exists (select from extra e where e.product_key = pc.product_key and e.category_key = pc.category_key)`,
    `insert into catalog.product_category (product_key, category_key, valid_from, source)
     select l.product_key, l.category_key, night.observed_at, 'breadcrumb'
     from leaf l cross join night
     where l.is_new or not exists (
       select from catalog.product_category pc
       where pc.product_key = l.product_key and pc.category_key = l.category_key and pc.valid_to is null)
     order by l.product_key, l.category_key`,
    `insert into catalog.product_category (product_key, category_key, valid_from, source)
     select e.product_key, e.category_key, night.observed_at, 'listing'
     from extra e cross join night
     where not exists (
       select from catalog.product_category pc
       where pc.product_key = e.product_key and pc.category_key = e.category_key and pc.valid_to is null)
     order by e.product_key, e.category_key`,
  ],
};
