-- Runs with its owner's rights. Only the largest moves are looked up in the histories.
create function marts.largest_price_moves(
  region text,
  since date,
  until date,
  by text default 'percent',
  direction text default 'both',
  places integer default 25,
  skipped integer default 0,
  product_keys integer[] default null,
  price_from numeric default null,
  price_basis text default 'shelf'
)
returns table (
  place bigint,
  product_id text,
  product_key integer,
  title text,
  brand text,
  old_price numeric,
  new_price numeric,
  change numeric,
  change_pct numeric,
  old_unit_price numeric,
  new_unit_price numeric,
  unit_of_measure text,
  currency text
)
language sql
stable
parallel safe
security definer
set search_path = pg_catalog
set work_mem = '64MB'
set jit = off
rows 50
begin atomic
  with moved as materialized (
    select prices.product_key, prices.old_minor as price_before, prices.new_minor as price_after
    from marts.moved_prices(
      largest_price_moves.region, largest_price_moves.since, largest_price_moves.until,
      largest_price_moves.price_basis, largest_price_moves.product_keys, largest_price_moves.price_from) as prices
  ), largest as (
    (
      select moved.product_key, moved.price_before, moved.price_after,
        case largest_price_moves.by
          when 'percent' then moved.price_after / moved.price_before::float8
          when 'amount' then moved.price_after - moved.price_before
        end as size
      from moved
      where moved.price_after > moved.price_before and largest_price_moves.direction in ('both', 'rises')
      order by size desc, moved.product_key
      limit largest_price_moves.skipped + largest_price_moves.places
    )
    union all
    (
      select moved.product_key, moved.price_before, moved.price_after,
        case largest_price_moves.by
          when 'percent' then - moved.price_after / moved.price_before::float8
          when 'amount' then moved.price_before - moved.price_after
        end as size
      from moved
      where moved.price_after < moved.price_before and largest_price_moves.direction in ('both', 'falls')
      order by size desc, moved.product_key
      limit largest_price_moves.skipped + largest_price_moves.places
    )
  ), placed as (
    select largest.*, row_number() over (
      partition by largest.price_after > largest.price_before order by largest.size desc, largest.product_key) as place
    from largest
  )
  select
    placed.place,
    p.product_id,
    placed.product_key,
    p.title,
    p.brand,
    (placed.price_before * 0.01)::numeric(12, 2),
    (placed.price_after * 0.01)::numeric(12, 2),
    ((placed.price_after - placed.price_before) * 0.01)::numeric(12, 2),
    round(100.0 * (placed.price_after - placed.price_before) / placed.price_before, 2),
    case
      when before.unit_of_measure is distinct from after.unit_of_measure then null
      when before.price_minor = placed.price_before then before.unit_price
      else round(before.unit_price * placed.price_before / before.price_minor, 4)
    end,
    case
      when after.price_minor = placed.price_after then after.unit_price
      else round(after.unit_price * placed.price_after / after.price_minor, 4)
    end,
    after.unit_of_measure,
    region.currency
  from placed
  join catalog.product p on p.product_key = placed.product_key
  join catalog.region region on region.region = largest_price_moves.region
  cross join lateral (
    select price.price_minor, price.unit_price, price.unit_of_measure
    from catalog.price_spell price
    where price.product_key = placed.product_key and price.valid_from <= (
      select run.observed_at
      from derived.night night
      join ops.run run on run.run_id = night.run_id
      where night.region = largest_price_moves.region and night.snapshot_date = largest_price_moves.since)
    order by price.valid_from desc
    limit 1
  ) as before
  cross join lateral (
    select price.price_minor, price.unit_price, price.unit_of_measure
    from catalog.price_spell price
    where price.product_key = placed.product_key and price.valid_from <= (
      select run.observed_at
      from derived.night night
      join ops.run run on run.run_id = night.run_id
      where night.region = largest_price_moves.region and night.snapshot_date = largest_price_moves.until)
    order by price.valid_from desc
    limit 1
  ) as after
  where placed.place > largest_price_moves.skipped
  order by placed.price_after > placed.price_before desc, placed.place;
end;

revoke execute on function marts.largest_price_moves(
  text, date, date, text, text, integer, integer, integer[], numeric, text
) from public;

comment on function marts.largest_price_moves(
  text, date, date, text, text, integer, integer, integer[], numeric, text
) is
  'The largest moves of price_move, for each direction up to a number: by is percent or amount, direction is both, '
  'rises or falls, skipped omits that number per direction, product_keys and price_from (the price before, in the '
  'currency of the region) restrict the products. price_basis is shelf or member, as in moved_prices. Columns as in '
  'price_move; place counts from 1 per direction. since and until must be derived certified nights: '
  'dates of fct_region_daily. Takes a tenth of a second where price_move takes seconds.';
