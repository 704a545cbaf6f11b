-- Runs with its owner's rights, because the lists of products are not marts. Uses the steps of the nights in between,
-- or merged steps; only the resulting products are looked up in the histories.
create function marts.largest_price_moves(
  region text,
  since date,
  until date,
  by text default 'percent',
  direction text default 'both',
  places integer default 25,
  skipped integer default 0,
  product_keys integer[] default null,
  price_from numeric default null
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
  with together as materialized (
    select prices.product_keys, prices.prices_before, prices.prices_after
    from derived.price_move prices
    where prices.region = largest_price_moves.region and prices.since = largest_price_moves.since
      and prices.until = largest_price_moves.until
  ), moved as materialized (
    select price.product_key, price.price_before, price.price_after
    from (
      select unnest(together.product_keys) as product_key, unnest(together.prices_before) as price_before,
        unnest(together.prices_after) as price_after
      from together
      union all
      -- Within 31 days, a steady product has at most one step, its first; other steps follow it.
      select coalesce(steady.product_key, others.product_key),
        case
          when steady.product_key is null then (others.first_price & 4294967295)::integer - 1
          else steady.price_before
        end,
        case
          when others.product_key is null then steady.price_after
          else (others.last_price & 4294967295)::integer - 1
        end
      from (
        select unnest(night.product_keys[:night.steady]) as product_key,
          unnest(night.prices_before[:night.steady]) as price_before,
          unnest(night.prices_after[:night.steady]) as price_after
        from derived.price_step night
        where night.region = largest_price_moves.region and night.snapshot_date > largest_price_moves.since
          and night.snapshot_date <= largest_price_moves.until
          and largest_price_moves.until - largest_price_moves.since <= 31
          and not exists (select from together)
      ) as steady
      full join (
        -- First and last price of a product: minimum and maximum of night and price combined in one number.
        select step.product_key, min(step.night << 32 | step.price_before + 1) as first_price,
          max(step.night << 32 | step.price_after + 1) as last_price
        from (
          select (night.snapshot_date - date '2000-01-01')::bigint as night,
            unnest(night.product_keys[night.first:]) as product_key,
            unnest(night.prices_before[night.first:])::bigint as price_before,
            unnest(night.prices_after[night.first:])::bigint as price_after
          from (
            select night.*,
              case
                when largest_price_moves.until - largest_price_moves.since <= 31 then night.steady + 1
                else 1
              end as first
            from derived.price_step night
            where night.region = largest_price_moves.region and night.snapshot_date > largest_price_moves.since
              and night.snapshot_date <= largest_price_moves.until
              and not exists (select from together)
          ) as night
        ) as step
        group by step.product_key
      ) as others using (product_key)
    ) as price
    where price.price_before > 0 and price.price_after >= 0
      and (largest_price_moves.price_from is null or price.price_before >= largest_price_moves.price_from * 100)
      and (largest_price_moves.product_keys is null
        or price.product_key in (select unnest(largest_price_moves.product_keys)))
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
    case when before.unit_of_measure is not distinct from after.unit_of_measure then before.unit_price end,
    after.unit_price,
    after.unit_of_measure,
    region.currency
  from placed
  join catalog.product p on p.product_key = placed.product_key
  join catalog.region region on region.region = largest_price_moves.region
  cross join lateral (
    select price.unit_price, price.unit_of_measure
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
    select price.unit_price, price.unit_of_measure
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

revoke execute on function marts.largest_price_moves(text, date, date, text, text, integer, integer, integer[], numeric)
from public;

comment on function marts.largest_price_moves(text, date, date, text, text, integer, integer, integer[], numeric) is
  'The largest moves of price_move, for each direction up to a number: by is percent or amount, direction is both, '
  'rises or falls, skipped omits that number per direction, product_keys and price_from (the price before, in the '
  'currency of the region) restrict the products. Columns as in price_move; place counts from 1 per direction. '
  'since and until must be derived certified nights: dates of fct_region_daily. '
  'Takes a tenth of a second where price_move takes seconds.';
