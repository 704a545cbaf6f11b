-- Categories missing from the taxonomy are gone, except below a category that was walked anyway and has products: their
-- fate is unknown.

-- Materialized, because each set would otherwise be read once per category.
with in_taxonomy as materialized (
  select s.category_id from night join stage.category s using (run_id)
), in_doubt as materialized (
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
  and not exists (select from in_doubt d where d.category_key = c.category_key);
