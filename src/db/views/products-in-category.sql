-- With the rights of its owner: memberships are kept of the deepest categories alone. They are found by category, so
-- that it costs what the category holds; bridge_product_category puts the spells of all products together first.
create function marts.products_in_category(category_key integer, on_date date, and_on date default null)
returns table (product_key integer)
language sql
stable
parallel safe
security definer
set search_path = pg_catalog
set jit = off
rows 2000
begin atomic
  with night as materialized (
    select
      max(run.observed_at) filter (where night.snapshot_date <= products_in_category.on_date) as on_at,
      max(run.observed_at) filter (where night.snapshot_date <= coalesce(products_in_category.and_on, products_in_category.on_date)) as and_at
    from catalog.category category
    join derived.night night on night.region = category.region
    join ops.run run on run.run_id = night.run_id
    where category.category_key = products_in_category.category_key
  )
  select member.product_key
  from catalog.category_ancestor below
  join catalog.product_category member on member.category_key = below.category_key
  where below.ancestor_key = products_in_category.category_key
  group by member.product_key
  -- It may have been in one shelf on the one night and in another on the other.
  having bool_or(member.valid_from <= (select on_at from night) and (member.valid_to is null or member.valid_to > (select on_at from night)))
    and bool_or(member.valid_from <= (select and_at from night) and (member.valid_to is null or member.valid_to > (select and_at from night)));
end;

revoke execute on function marts.products_in_category(integer, date, date) from public;

comment on function marts.products_in_category(integer, date, date) is 'Products in a category, or in one below it, on the last certified night up to a date; with and_on those that were in it on the night up to that date, too. On nights from which everything is derived: dates of fct_region_daily. bridge_product_category has the same as spells; this is quick for one category, which product_category_now is for now alone.';
