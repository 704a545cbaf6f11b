create view marts.fct_price_change as
select
  p.region,
  p.product_id,
  p.product_key,
  earlier.valid_to as changed_at,
  night.snapshot_date,
  (earlier.price_minor * 0.01)::numeric(12, 2) as old_price,
  (later.price_minor * 0.01)::numeric(12, 2) as new_price,
  region.currency,
  (100.0 * (later.price_minor - earlier.price_minor) / earlier.price_minor)::numeric(14, 2) as change_pct,
  change.change_seq,
  change.updated_at
from catalog.price_history earlier
-- The next spell, found by its key.
cross join lateral (
  select after.price_minor, after.valid_from
  from catalog.price_spell after
  where after.product_key = earlier.product_key and after.valid_from >= earlier.valid_to
  order by after.valid_from
  limit 1
) as later
join catalog.product p on p.product_key = earlier.product_key
join catalog.region region on region.region = p.region
join ops.published_run night
  on night.region = p.region and night.observed_at = earlier.valid_to
left join ops.night_change change on change.region = night.region and change.snapshot_date = night.snapshot_date
-- It cannot begin earlier, but without this condition the planner expects almost no rows.
where later.valid_from <= earlier.valid_to and later.price_minor <> earlier.price_minor
  -- A product that was not listed on the previous certified night is an arrival, as in the daily figures.
  and not exists (
    select from catalog.availability_history away
    where away.product_key = earlier.product_key and away.valid_to = earlier.valid_to
      and away.availability in ('absent', 'delisted'));

select ops.describe('marts.fct_price_change', $$
One row is a change of a product's ordinary price from one known value to another. A first price is not a change, nor is
  a price that disappears or returns, or the price of a product that returns after it was not listed; fct_region_daily
  counts the same. Prices shown while a product is not for sale are not offers: a change is recorded when the product
  returns to sale at another price than its last.
product_key: Joins dim_product; product_id alone may name a later article, too.
changed_at: The instant of the run that saw the new price first.
snapshot_date: Snapshot date of that run.
old_price: Price before the change, in currency.
new_price: Price after the change, in currency.
change_pct: Change in percent of the old price, two decimals; negative if it became cheaper.
$$);
