create view marts.bridge_product_category as
-- Most products have been in one category only: their spells are those of the category, in it and in all above it.
select
  p.region,
  p.product_id,
  p.product_key,
  c.category_id,
  c.category_key,
  c.depth,
  above.is_itself as is_direct,
  pc.valid_from,
  pc.valid_to,
  (pc.valid_from at time zone region.time_zone)::date as began_on,
  (pc.valid_to at time zone region.time_zone)::date as ended_on
from catalog.product_category pc
-- A join and not "not exists", which the planner takes to leave next to nothing.
left join (
  select product_key
  from catalog.product_category
  group by product_key
  having count(*) > 1
) as several on several.product_key = pc.product_key
join catalog.category_ancestor above on above.category_key = pc.category_key
join catalog.category c on c.category_key = above.ancestor_key
join catalog.product p on p.product_key = pc.product_key
-- Always there: said like this it is looked up only where a date is asked for.
left join catalog.region region on region.region = p.region
where several.product_key is null
union all
-- The others may reach a category by several shelves at once: their spells become one, without a gap where they touch.
select
  p.region,
  p.product_id,
  p.product_key,
  membership.category_id,
  membership.category_key,
  membership.depth,
  coalesce(membership.direct_spells && spell.span, false),
  lower(spell.span),
  upper(spell.span),
  (lower(spell.span) at time zone region.time_zone)::date,
  (upper(spell.span) at time zone region.time_zone)::date
from (
  select
    pc.product_key,
    c.category_id,
    c.category_key,
    c.depth,
    range_agg(tstzrange(pc.valid_from, pc.valid_to)) as spells,
    range_agg(tstzrange(pc.valid_from, pc.valid_to)) filter (where above.is_itself) as direct_spells
  from catalog.product_category pc
  join (
    select product_key
    from catalog.product_category
    group by product_key
    having count(*) > 1
  ) as several on several.product_key = pc.product_key
  join catalog.category_ancestor above on above.category_key = pc.category_key
  join catalog.category c on c.category_key = above.ancestor_key
  group by pc.product_key, c.category_id, c.category_key, c.depth
) as membership
cross join lateral unnest(membership.spells) as spell (span)
join catalog.product p on p.product_key = membership.product_key
left join catalog.region region on region.region = p.region;

comment on view marts.bridge_product_category is 'One row is a spell of a product in a category. A product is in its own categories and in all their ancestors; at most one row for a product and category is current. Joined to nights by product alone, a price counts once for each of its categories and each spell: name a category, or keep one depth, and the spell that holds (began_on <= snapshot_date and (ended_on is null or ended_on > snapshot_date)).';
comment on column marts.bridge_product_category.region is 'uk or ie.';
comment on column marts.bridge_product_category.product_id is 'The upstream''s product id.';
comment on column marts.bridge_product_category.product_key is 'Joins dim_product.';
comment on column marts.bridge_product_category.category_id is 'The upstream''s category id.';
comment on column marts.bridge_product_category.category_key is 'Joins dim_category.';
comment on column marts.bridge_product_category.depth is 'Depth of the category, 0 at the top level: keep one depth and no product counts twice in a branch.';
comment on column marts.bridge_product_category.is_direct is 'True when this is a deepest known category of the product during the spell, false when it is only an ancestor of one.';
comment on column marts.bridge_product_category.valid_from is 'The instant of the run that began the spell, some hours into its night: began_on joins snapshot dates.';
comment on column marts.bridge_product_category.valid_to is 'The instant of the run that ended the spell; null while it lasts.';
comment on column marts.bridge_product_category.began_on is 'Snapshot date of the first night of the spell.';
comment on column marts.bridge_product_category.ended_on is 'Snapshot date of the first night after it, so exclusive; null while it lasts.';
