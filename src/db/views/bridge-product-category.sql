create view marts.bridge_product_category as
-- A product may reach a category through several subcategories at once: adjoining spells are merged.
select
  membership.region,
  p.product_id,
  membership.product_key,
  membership.category_id,
  membership.category_key,
  membership.depth,
  coalesce(membership.direct_spells && spell.span, false) as is_direct,
  lower(spell.span) as valid_from,
  upper(spell.span) as valid_to,
  (lower(spell.span) at time zone region.time_zone)::date as began_on,
  (upper(spell.span) at time zone region.time_zone)::date as ended_on
from (
  select
    pc.product_key,
    c.region,
    c.category_id,
    c.category_key,
    c.depth,
    range_agg(tstzrange(pc.valid_from, pc.valid_to)) as spells,
    range_agg(tstzrange(pc.valid_from, pc.valid_to)) filter (where above.is_itself) as direct_spells
  from catalog.product_category pc
  join catalog.category_ancestor above on above.category_key = pc.category_key
  join catalog.category c on c.category_key = above.ancestor_key
  group by pc.product_key, c.category_key
) as membership
cross join lateral unnest(membership.spells) as spell (span)
-- Always exist; written as outer joins, they are read only if an id or a date is requested.
left join catalog.product p on p.product_key = membership.product_key
left join catalog.region region on region.region = membership.region;

select ops.describe('marts.bridge_product_category', $$
One row is a spell of a product in a category. A product is in its own categories and in all their ancestors; per
  product and category, at most one row is current. Departments are complete after each certified night. Below them, a
  product is in the category of its own breadcrumb; other shelves that list it are unknown. A join to nights by product
  alone counts a price once per category and spell: name a category or a depth, and the spell that holds (began_on <=
  snapshot_date and (ended_on is null or ended_on > snapshot_date)).
is_direct: True for a deepest known category of the product during the spell, false for an ancestor of one.
valid_from: Instant of the run that began the spell, some hours into its night; began_on joins snapshot dates.
valid_to: Instant of the run that ended the spell; null while it lasts.
began_on: Snapshot date of the first night of the spell.
ended_on: Snapshot date of the first night after the spell (exclusive); null while it lasts.
$$);
