-- The categories of the night's taxonomy, and those that only breadcrumbs name (their ids encode their paths).

insert into named
select s.category_id, parent.category_id, s.name, s.label, s.depth, s.path, true
from night join stage.category s using (run_id)
left join stage.category parent on parent.run_id = s.run_id and parent.category_no = s.parent_no
union all
select o."categoryId", o."parentId", o.name, 'not in taxonomy', o.depth, o.path, false
from night cross join jsonb_to_recordset(night.outside_taxonomy)
  as o ("categoryId" text, "parentId" text, name text, depth smallint, path text)
where not exists (select from stage.category s where s.run_id = night.run_id and s.category_id = o."categoryId");

insert into catalog.category (region, category_id, name, label, depth, path, ancestors, first_seen_at)
select night.region, n.category_id, n.name, n.label, n.depth, n.path, '{}', night.observed_at
from night cross join named n
where not exists (select from catalog.category c where c.region = night.region and c.category_id = n.category_id)
order by n.depth, n.category_id;

update catalog.category c
set parent_key = parent.category_key, name = n.name, label = n.label, depth = n.depth, path = n.path,
  first_seen_at = least(c.first_seen_at, night.observed_at), last_seen_at = null
from night cross join named n
left join catalog.category parent on parent.region = night.region and parent.category_id = n.parent_id
where c.region = night.region and c.category_id = n.category_id and (n.is_in_taxonomy or c.label = 'not in taxonomy')
  and (c.parent_key, c.name, c.label, c.depth, c.path, c.first_seen_at, c.last_seen_at)
    is distinct from (parent.category_key, n.name, n.label, n.depth, n.path,
      least(c.first_seen_at, night.observed_at), null);

with recursive climb (category_key, ancestors) as (
  select category_key, array[category_key] from night join catalog.category using (region) where parent_key is null
  union all
  select c.category_key, climb.ancestors || c.category_key
  from climb
  join catalog.category c on c.parent_key = climb.category_key
)
update catalog.category c
set ancestors = climb.ancestors
from climb
where c.category_key = climb.category_key and c.ancestors <> climb.ancestors;
