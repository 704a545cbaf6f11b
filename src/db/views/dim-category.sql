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

comment on view marts.dim_category is
  'One row is a category of a region''s taxonomy. Name, label, depth and path are those of the latest taxonomy. '
  'If an id encodes its path of names, a renamed category is a new one.';
comment on column marts.dim_category.region is 'uk or ie.';
comment on column marts.dim_category.category_id is 'The upstream''s id; with region the natural key.';
comment on column marts.dim_category.category_key is 'Surrogate key.';
comment on column marts.dim_category.name is 'Name as received, including spaces at its ends.';
comment on column marts.dim_category.label is
  'Kind of node: superDepartment, department, aisle or shelf; "not in taxonomy" if only products name it.';
comment on column marts.dim_category.depth is '0 at the top level, one more at each level below.';
comment on column marts.dim_category.parent_id is 'category_id of the parent; null at the top level.';
comment on column marts.dim_category.parent_key is 'category_key of the parent; null at the top level.';
comment on column marts.dim_category.path is 'Names from the top level down, joined with " > ".';
comment on column marts.dim_category.first_seen_at is 'When a run first saw it.';
comment on column marts.dim_category.gone_at is
  'When a certified run''s taxonomy first lacked it; null while it exists.';
