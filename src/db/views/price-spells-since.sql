-- Runs with its owner's rights, because it reads the histories to find products changed by the nights, and computes
-- only their spells. A filter on change_seq of fct_price_spell would apply only after the spells of all products were
-- computed.
create function marts.price_spells_since(change_seq bigint)
returns setof marts.fct_price_spell
language sql
stable
parallel safe
security definer
set search_path = pg_catalog
set jit = off
rows 20000
begin atomic
  -- An open spell has the key of the night that began it, an ended one that of the night that ended it, so one of its
  -- ends is a change of that night.
  with night as materialized (
    select run.observed_at
    from ops.night_change change
    join ops.published_run run
      on run.region = change.region and run.snapshot_date = change.snapshot_date
    where change.change_seq > price_spells_since.change_seq or change.open_seq > price_spells_since.change_seq
  ),
  moved as materialized (
    select price.product_key
    from catalog.price_history price
    where price.valid_to >= (select min(observed_at) from night) and price.valid_to in (select observed_at from night)
    union
    select listed.product_key
    from catalog.availability_history listed
    where listed.valid_to >= (select min(observed_at) from night) and listed.valid_to in (select observed_at from night)
    union
    select offer.product_key
    from catalog.offer_history offer
    where offer.valid_to >= (select min(observed_at) from night)
      and (offer.valid_from in (select observed_at from night) or offer.valid_to in (select observed_at from night))
    union
    select c.product_key
    from catalog.product_current c
    where c.offer_since in (select observed_at from night)
    union
    select p.product_key
    from catalog.product p
    where p.first_seen_at in (select observed_at from night)
  )
  select spell.*
  from moved
  -- "offset" keeps the planner from computing the spells of all products.
  cross join lateral (
    select *
    from marts.fct_price_spell of_product
    where of_product.product_key = moved.product_key
    offset 0
  ) as spell
  where spell.change_seq > price_spells_since.change_seq;
end;

revoke execute on function marts.price_spells_since(bigint) from public;

comment on function marts.price_spells_since(bigint) is
  'Rows of fct_price_spell with a greater change_seq than that of a copy: the same result as fct_price_spell with a '
  'filter on change_seq, at the cost of the changed nights instead of all products.';
