-- Runs with its owner's rights: memberships are stored only for the deepest categories. They are found by category, so
-- the cost depends on the size of the category; bridge_product_category computes the spells of all products first.
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
      max(run.observed_at) filter (
        where night.snapshot_date <= coalesce(products_in_category.and_on, products_in_category.on_date)
      ) as and_at
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
  -- It may have been in different subcategories on the two nights.
  having
    bool_or(
      member.valid_from <= (select on_at from night)
      and (member.valid_to is null or member.valid_to > (select on_at from night)))
    and bool_or(
      member.valid_from <= (select and_at from night)
      and (member.valid_to is null or member.valid_to > (select and_at from night)));
end;

revoke execute on function marts.products_in_category(integer, date, date) from public;

comment on function marts.products_in_category(integer, date, date) is
  'Products in a category or below it on the last certified night up to a date; '
  'with and_on only those that were also in it on the night up to that date. Only for nights whose data is derived: '
  'dates of fct_region_daily. bridge_product_category returns the same as spells; '
  'this function is fast for one category, and product_category_now is fast for the present.';
