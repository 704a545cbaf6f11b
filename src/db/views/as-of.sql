-- plpgsql, not sql: only there may the query of a security definer function run in parallel.
create function marts.as_of(region text, on_date date)
returns setof marts.fct_price_daily
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
-- Joins of a whole catalogue in memory, planned for the very night that is asked for.
set work_mem = '64MB'
set plan_cache_mode = force_custom_plan
set jit = off
-- Of years of history most pages are needed: read them in order, and by all cores. With 13.6 million prices the planner
-- would else fetch each product's 34 versions one by one (three times the work), and with a million use one core.
set random_page_cost = 4
set parallel_tuple_cost = 0.01
as $$
declare
  night record;
begin
  select r.region, r.snapshot_date, r.observed_at, regions.currency into night
  from ops.run r
  join catalog.region regions on regions.region = r.region
  where r.region = as_of.region and r.snapshot_date <= as_of.on_date and r.status = 'published'
  order by r.snapshot_date desc, r.run_id desc
  limit 1;
  if not found then
    return;
  end if;

  return query
  with offer as (
    select
      carried.product_key,
      min(promotion.loyalty_price_minor) filter (where promotion.kind = 'loyalty_price') as loyalty_price_minor
    from catalog.promotion promotion
    join catalog.product_promotion carried on carried.promotion_key = promotion.promotion_key
    where promotion.region = night.region
      and (promotion.starts_at is null or promotion.starts_at <= night.observed_at)
      and (promotion.ends_at is null or promotion.ends_at > night.observed_at)
      and carried.valid_from <= night.observed_at
      and (carried.valid_to is null or carried.valid_to > night.observed_at)
    group by carried.product_key
  )
  select
    night.region,
    night.snapshot_date,
    p.product_id,
    p.product_key,
    coalesce(former.title, p.title),
    (price.price_minor * 0.01)::numeric(12, 2),
    night.currency,
    price.unit_price,
    price.unit_of_measure,
    (offer.loyalty_price_minor * 0.01)::numeric(12, 2),
    availability.availability::text,
    offer.product_key is not null
  from catalog.product p
  join catalog.availability_history availability
    on availability.product_key = p.product_key
    and availability.valid_from <= night.observed_at
    and (availability.valid_to is null or availability.valid_to > night.observed_at)
    and availability.availability in ('available', 'unavailable')
  left join catalog.price_history price
    on price.product_key = p.product_key
    and price.valid_from <= night.observed_at
    and (price.valid_to is null or price.valid_to > night.observed_at)
  left join catalog.product_history former
    on former.product_key = p.product_key
    and former.valid_from <= night.observed_at
    and former.valid_to > night.observed_at
  left join offer on offer.product_key = p.product_key
  where p.region = night.region;
end
$$;

revoke execute on function marts.as_of(text, date) from public;

comment on function marts.as_of(text, date) is 'The catalogue of a region as the night of a date left it: one row is a listed product, columns as in fct_price_daily. The night is the latest published run up to the date, certified or not, and snapshot_date says which one that was. No rows for an unknown region or before the first night.';
