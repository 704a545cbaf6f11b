import { ancestorsOf } from './category-ancestor.ts';
import type { Step } from './step.ts';

/** Categories the run's taxonomy has, or a breadcrumb names beside it; those a certified run no longer has are dated. */
export const category: Step = {
  name: 'category',
  statements: [
    `insert into catalog.category (region, category_id, name, label, depth, path, first_seen_at)
     select night.region, s.category_id, s.name, s.label, s.depth, s.path, night.observed_at
     from night join stage.category s using (run_id)
     where not exists (select from catalog.category c where c.region = night.region and c.category_id = s.category_id)
     order by s.depth, s.category_no`,
    `update catalog.category c
     set parent_key = parent.category_key, name = s.name, label = s.label, depth = s.depth, path = s.path, last_seen_at = null
     from night
     join stage.category s using (run_id)
     left join stage.category sp on sp.run_id = s.run_id and sp.category_no = s.parent_no
     left join catalog.category parent on parent.region = night.region and parent.category_id = sp.category_id
     where c.region = night.region and c.category_id = s.category_id
       and (c.parent_key, c.name, c.label, c.depth, c.path, c.last_seen_at)
         is distinct from (parent.category_key, s.name, s.label, s.depth, s.path, null::timestamptz)`,
    // A breadcrumb may lead to a shelf the taxonomy does not show: its id holds the way to it.
    `insert into catalog.category (region, category_id, name, label, depth, path, first_seen_at)
     select night.region, outside_taxonomy.category_id, outside_taxonomy.name, 'not in taxonomy', outside_taxonomy.depth, outside_taxonomy.path, night.observed_at
     from outside_taxonomy cross join night
     where not exists (select from catalog.category c where c.region = night.region and c.category_id = outside_taxonomy.category_id)
     order by outside_taxonomy.depth, outside_taxonomy.category_id`,
    `update catalog.category c
     set parent_key = parent.category_key
     from night cross join outside_taxonomy
     join catalog.category parent on parent.category_id = outside_taxonomy.parent_id
     where parent.region = night.region and c.region = night.region and c.category_id = outside_taxonomy.category_id
       and c.label = 'not in taxonomy' and c.parent_key is distinct from parent.category_key`,
    // Without one, under the id itself.
    `insert into catalog.category (region, category_id, name, label, depth, path, first_seen_at)
     select distinct night.region, w.leaf_id, w.leaf_id, 'not in taxonomy', 0, w.leaf_id, night.observed_at
     from winner w cross join night
     where w.leaf_id is not null
       and not exists (select from catalog.category c where c.region = night.region and c.category_id = w.leaf_id)
     order by 2`,
    ...ancestorsOf('region = (select region from night)'),
    // What the taxonomy no longer shows is gone, except below a category that was walked all the same and is full of products:
    // nobody knows what became of those. Each set is read once: asked per category, both would be read for each of them.
    `with in_taxonomy as materialized (
       select s.category_id from night join stage.category s using (run_id)
     ),
     in_doubt as materialized (
       select below.category_key
       from night
       join ops.category_crawl crawl on crawl.run_id = night.run_id and crawl.root_no = crawl.category_no
       join catalog.category top on top.region = night.region and top.category_id = crawl.category_id
       join catalog.category_ancestor below on below.ancestor_key = top.category_key
       where crawl.distinct_seen > 0 and top.last_seen_at is null
         and not exists (select from in_taxonomy s where s.category_id = crawl.category_id)
     )
     update catalog.category c
     set last_seen_at = night.observed_at
     from night
     where not night.is_partial and c.region = night.region and c.last_seen_at is null and c.label <> 'not in taxonomy'
       and not exists (select from in_taxonomy s where s.category_id = c.category_id)
       and not exists (select from in_doubt d where d.category_key = c.category_key)`,
  ],
};
