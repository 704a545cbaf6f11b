create view marts.fct_price_step as
select
  night.region,
  night.snapshot_date,
  step.product_key,
  (nullif(step.price_before, -1) * 0.01)::numeric(12, 2) as old_price,
  (nullif(step.price_after, -1) * 0.01)::numeric(12, 2) as new_price,
  region.currency
from derived.price_step night
join catalog.region region using (region)
cross join lateral unnest(night.product_keys, night.prices_before, night.prices_after)
  as step (product_key, price_before, price_after)
where night.price_basis = 'shelf';

select ops.describe('marts.fct_price_step', $$
One row is a product whose shelf price differs between a certified night and the certified night before. Made for
  statistics over many products: it reads only the nights that region and snapshot_date name. fct_price_change has
  single changes with their instants, also those between nights that are not certified.
snapshot_date: Certified night that shows the new price first.
old_price: Price on the certified night before, in currency; null if the product was not listed with a price (an
  arrival).
new_price: Price on the night, in currency; null if the product is not listed with a price any more (a departure).
$$);
