create view marts.dim_category as
select
  c.region,
  c.category_id,
  c.category_key,
  c.name,
  c.label,
  c.depth,
  parent.category_id as parent_id,
  c.parent_key,
  c.path,
  c.first_seen_at,
  c.last_seen_at as gone_at
from catalog.category c
left join catalog.category parent on parent.category_key = c.parent_key;

select ops.describe('marts.dim_category', $$
One row is a category of a region's taxonomy. Name, label, depth and path are those of the latest taxonomy. If an id
  encodes its path of names, a renamed category is a new one.
category_id: The upstream's id; with region the natural key.
category_key: Surrogate key.
name: Name as received, including spaces at its ends.
label: Kind of node: superDepartment, department, aisle or shelf; "not in taxonomy" if only products name it.
parent_id: category_id of the parent; null at the top level.
parent_key: category_key of the parent; null at the top level.
first_seen_at: When a run first saw it.
gone_at: When a certified run's taxonomy first lacked it; null while it exists.
$$);
