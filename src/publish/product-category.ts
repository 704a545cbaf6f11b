import type { Step } from './step.ts';

/**
 * A product belongs to its breadcrumb's deepest category, and to every walked category that lists it although the
 * breadcrumb does not pass through: a frontier category, also where its children were walked for it. Leaving a listing
 * takes a certified run that walked it and is in no doubt about it.
 */
export const productCategory: Step = {
  name: 'product_category',
  statements: [
    `create temporary table leaf on commit drop as
     select w.product_key, w.is_new, c.category_key
     from winner w cross join night
     left join stage.category s on s.run_id = night.run_id and s.category_no = w.leaf_no
     join catalog.category c on c.region = night.region and c.category_id = coalesce(s.category_id, w.leaf_id)`,
    `update catalog.product_category pc
     set valid_to = night.observed_at
     from winner w cross join night
     where not w.is_new and pc.product_key = w.product_key and pc.valid_to is null and pc.source = 'breadcrumb'
       and not exists (select from leaf l where l.product_key = pc.product_key and l.category_key = pc.category_key)`,
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
    'analyze extra',
    `update catalog.product_category pc
     set valid_to = night.observed_at
     from night
     where night.is_certified and pc.valid_to is null and pc.source = 'listing'
       and pc.category_key in (
         select c.category_key
         from catalog.category c
         left join ops.category_crawl crawl on crawl.run_id = night.run_id and crawl.category_id = c.category_id
         where c.region = night.region and (c.last_seen_at is not null or crawl.category_no = crawl.root_no and not crawl.is_sample)
           and c.category_id not in (select category_id from doubted))
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
