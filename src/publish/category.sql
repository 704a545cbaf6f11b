-- Categories in the run's taxonomy, plus those that only breadcrumbs name, with their parents.

insert into catalog.category (region, category_id, name, label, depth, path, first_seen_at)
select night.region, s.category_id, s.name, s.label, s.depth, s.path, night.observed_at
from night
join stage.category s using (run_id)
where not exists (select from catalog.category c where c.region = night.region and c.category_id = s.category_id)
order by s.depth, s.category_no;

update catalog.category c
set parent_key = parent.category_key, name = s.name, label = s.label, depth = s.depth, path = s.path,
  last_seen_at = null
from night
join stage.category s using (run_id)
left join stage.category sp on sp.run_id = s.run_id and sp.category_no = s.parent_no
left join catalog.category parent on parent.region = night.region and parent.category_id = sp.category_id
where c.region = night.region and c.category_id = s.category_id
  and (c.parent_key, c.name, c.label, c.depth, c.path, c.last_seen_at)
    is distinct from (parent.category_key, s.name, s.label, s.depth, s.path, null::timestamptz);

-- A breadcrumb may name a category that is missing from the taxonomy; its id encodes its path.
insert into catalog.category (region, category_id, name, label, depth, path, first_seen_at)
select night.region, o.category_id, o.name, 'not in taxonomy', o.depth, o.path, night.observed_at
from night
cross join jsonb_to_recordset(night.outside_taxonomy) as o (category_id text, name text, depth smallint, path text)
where not exists (select from catalog.category c where c.region = night.region and c.category_id = o.category_id)
order by o.depth, o.category_id;

update catalog.category c
set parent_key = parent.category_key
from night
cross join jsonb_to_recordset(night.outside_taxonomy) as o (category_id text, parent_id text)
join catalog.category parent on parent.region = night.region and parent.category_id = o.parent_id
where c.region = night.region
  and c.category_id = o.category_id
  and c.label = 'not in taxonomy' and c.parent_key is distinct from parent.category_key;

-- If the id does not encode a path, the category becomes a top-level one, named by its id.
insert into catalog.category (region, category_id, name, label, depth, path, first_seen_at)
select distinct (select region from night), w.leaf_id, w.leaf_id, 'not in taxonomy', 0, w.leaf_id,
  (select observed_at from night)
from winner w
where w.leaf_id is not null
  and not exists (
    select from catalog.category c where c.region = (select region from night) and c.category_id = w.leaf_id)
order by 2;
