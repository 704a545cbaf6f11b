-- Runs with its owner's rights, because the lists of products are not marts. Uses the steps of the nights in between,
-- or merged steps, and looks up no product.
create function marts.moved_prices(
  region text,
  since date,
  until date,
  price_basis text default 'shelf',
  product_keys integer[] default null,
  price_from numeric default null,
  with_arrivals boolean default false
)
returns table (product_key integer, old_minor integer, new_minor integer)
language sql
stable
parallel safe
security definer
set search_path = pg_catalog
set work_mem = '64MB'
set jit = off
rows 10000
begin atomic
  with together as materialized (
    select prices.product_keys, prices.prices_before, prices.prices_after
    from derived.price_move prices
    where prices.region = moved_prices.region and prices.price_basis = moved_prices.price_basis
      and prices.since = moved_prices.since and prices.until = moved_prices.until
  ), night as (
    select step.*
    from derived.price_step step
    where step.region = (select ops.known_region(moved_prices.region)) and step.price_basis = moved_prices.price_basis
      and step.snapshot_date > moved_prices.since and step.snapshot_date <= moved_prices.until
      and not exists (select from together)
  )
  select price.product_key, nullif(price.price_before, -1), price.price_after
  from (
    select unnest(together.product_keys) as product_key, unnest(together.prices_before) as price_before,
      unnest(together.prices_after) as price_after
    from together
    union all
    -- First and last price of a product: minimum and maximum of night and price combined in one number.
    select step.product_key, (min(step.night << 32 | step.price_before + 1) & 4294967295)::integer - 1,
      (max(step.night << 32 | step.price_after + 1) & 4294967295)::integer - 1
    from (
      select (night.snapshot_date - date '2000-01-01')::bigint as night,
        unnest(night.product_keys) as product_key,
        unnest(night.prices_before)::bigint as price_before,
        unnest(night.prices_after)::bigint as price_after
      from night
    ) as step
    group by step.product_key
  ) as price
  where (price.price_before > 0 or moved_prices.with_arrivals) and price.price_after >= 0
    and price.price_before <> price.price_after
    and (moved_prices.price_from is null or price.price_before >= moved_prices.price_from * 100)
    and (moved_prices.product_keys is null or price.product_key in (select unnest(moved_prices.product_keys)));
end;

revoke execute on function marts.moved_prices(text, date, date, text, integer[], numeric, boolean) from public;

comment on function marts.moved_prices(text, date, date, text, integer[], numeric, boolean) is
  'Products with another price on the night until than on the night since, without looking them up: both prices in '
  'pence or cents. price_basis is shelf, or member for what members pay: their price if there is one, otherwise that '
  'of the shelf. product_keys and price_from (the price before, in the currency of the region) restrict the products. '
  'with_arrivals adds those without a price on since, of which old_minor is null. '
  'since and until must be derived certified nights: dates of fct_region_daily.';
