create view marts.bridge_product_category as
-- UNION, not UNION ALL: a circle among the parents would otherwise never end.
with recursive ancestor (category_key, ancestor_key) as (
  select category_key, category_key
  from catalog.category
  union
  select a.category_key, c.parent_key
  from ancestor a
  join catalog.category c on c.category_key = a.ancestor_key
  where c.parent_key is not null
),
-- A product reaches a category by several shelves at once: their spells become one, without a gap where they touch.
membership as (
  select
    p.region,
    p.product_id,
    p.product_key,
    c.category_id,
    c.category_key,
    c.depth,
    range_agg(tstzrange(pc.valid_from, pc.valid_to)) as spells,
    range_agg(tstzrange(pc.valid_from, pc.valid_to)) filter (where pc.category_key = c.category_key) as direct_spells
  from catalog.product_category pc
  join catalog.product p on p.product_key = pc.product_key
  join ancestor a on a.category_key = pc.category_key
  join catalog.category c on c.category_key = a.ancestor_key
  group by p.region, p.product_id, p.product_key, c.category_id, c.category_key, c.depth
)
select
  m.region,
  m.product_id,
  m.product_key,
  m.category_id,
  m.category_key,
  m.depth,
  coalesce(m.direct_spells && spell.span, false) as is_direct,
  lower(spell.span) as valid_from,
  upper(spell.span) as valid_to
from membership m
cross join lateral unnest(m.spells) as spell (span);

comment on view marts.bridge_product_category is 'One row is a spell of a product in a category. A product is in its own categories and in all their ancestors; at most one row for a product and category is current.';
comment on column marts.bridge_product_category.region is 'uk or ie.';
comment on column marts.bridge_product_category.product_id is 'The upstream''s product id.';
comment on column marts.bridge_product_category.product_key is 'Joins dim_product.';
comment on column marts.bridge_product_category.category_id is 'The upstream''s category id.';
comment on column marts.bridge_product_category.category_key is 'Joins dim_category.';
comment on column marts.bridge_product_category.depth is 'Depth of the category, 0 at the top level: keep one depth and no product counts twice in a branch.';
comment on column marts.bridge_product_category.is_direct is 'True when this is a deepest known category of the product during the spell, false when it is only an ancestor of one.';
comment on column marts.bridge_product_category.valid_from is 'When the spell began.';
comment on column marts.bridge_product_category.valid_to is 'When the spell ended; null while it lasts.';
