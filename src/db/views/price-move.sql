create view marts.price_move as
select
  earlier.region,
  earlier.snapshot_date as since,
  later.snapshot_date as until,
  p.product_id,
  p.product_key,
  p.title,
  p.brand,
  (before.price_minor * 0.01)::numeric(12, 2) as old_price,
  (after.price_minor * 0.01)::numeric(12, 2) as new_price,
  ((after.price_minor - before.price_minor) * 0.01)::numeric(12, 2) as change,
  (100.0 * (after.price_minor - before.price_minor) / nullif(before.price_minor, 0))::numeric(14, 2) as change_pct,
  (case
    when before.unit_of_measure is not distinct from after.unit_of_measure then before.unit_price
  end)::numeric(14, 4) as old_unit_price,
  after.unit_price as new_unit_price,
  after.unit_of_measure,
  region.currency
from ops.certified_night earlier
join ops.certified_night later on later.region = earlier.region and later.observed_at > earlier.observed_at
-- Prices that ended between the two instants, found by their end; per product the one that held at the earlier instant.
join catalog.price_history before
  on before.valid_to > earlier.observed_at
  and before.valid_to <= later.observed_at
  and before.valid_from <= earlier.observed_at
-- The last price that began by the later instant: one look-up, however many rows precede it.
join lateral (
  select price.price_minor, price.unit_price, price.unit_of_measure, price.valid_to
  from catalog.price_spell price
  where price.product_key = before.product_key and price.valid_from <= later.observed_at
  order by price.valid_from desc
  limit 1
) as after
  on (after.valid_to is null or after.valid_to > later.observed_at) and before.price_minor <> after.price_minor
join lateral (
  select listed.availability
  from catalog.availability_spell listed
  where listed.product_key = before.product_key and listed.valid_from <= earlier.observed_at
  order by listed.valid_from desc
  limit 1
) as there_before on there_before.availability in ('available', 'unavailable')
join lateral (
  select listed.availability
  from catalog.availability_spell listed
  where listed.product_key = before.product_key and listed.valid_from <= later.observed_at
  order by listed.valid_from desc
  limit 1
) as there_after on there_after.availability in ('available', 'unavailable')
-- Looked up only for products that moved: "offset" keeps the planner from reading the whole table.
join lateral (
  select product.product_key, product.region, product.product_id, product.title, product.brand
  from catalog.product product
  where product.product_key = before.product_key
  offset 0
) as p on p.region = earlier.region
join catalog.region region on region.region = earlier.region;

select ops.describe('marts.price_move', $$
One row is a product whose shelf price differs between the certified nights since and until: listed with a price on
  both, one row however often it changed in between. Always name region, since and until.
since: Snapshot date of the earlier certified night: name it.
until: Snapshot date of the later certified night: name it.
brand: Current brand; null when not given.
old_price: Price on the night since, in currency.
new_price: Price on the night until, in currency.
change: new_price minus old_price, in currency.
change_pct: Change in percent of old_price, two decimals; negative if it became cheaper.
old_unit_price: Price of one unit_of_measure on the night since, in currency; null when not given, or for another
  measure.
new_unit_price: Price of one unit_of_measure on the night until, in currency; null when not given.
unit_of_measure: Measure of both unit prices, as in fct_price_daily.
$$);
