create view marts.fct_loyalty_price_change as
select
  p.region,
  p.product_id,
  p.product_key,
  step.changed_at,
  night.snapshot_date,
  (step.old_minor * 0.01)::numeric(12, 2) as old_loyalty_price,
  (step.new_minor * 0.01)::numeric(12, 2) as new_loyalty_price,
  region.currency,
  change.change_seq,
  change.updated_at
from (
  select product_key, changed_at, max(old_minor) as old_minor, max(new_minor) as new_minor
  from (
    select product_key, valid_to as changed_at, loyalty_price_minor as old_minor, null::integer as new_minor
    from catalog.offer_history
    where loyalty_price_minor is not null
    union all
    select product_key, valid_from, null, loyalty_price_minor
    from catalog.offer_spell
    where loyalty_price_minor is not null
  ) as ends
  group by product_key, changed_at
) as step
join catalog.product p on p.product_key = step.product_key
join catalog.region region on region.region = p.region
join ops.published_run night on night.region = p.region and night.observed_at = step.changed_at
left join ops.night_change change on change.region = night.region and change.snapshot_date = night.snapshot_date
where step.old_minor is distinct from step.new_minor
  -- Listed on that night and on the one before: arrivals and departures are no changes.
  and exists (
    select from catalog.availability_spell listed
    where listed.product_key = step.product_key and listed.availability in ('available', 'unavailable')
      and listed.valid_from <= step.changed_at and (listed.valid_to is null or listed.valid_to > step.changed_at))
  and exists (
    select from catalog.availability_spell listed
    where listed.product_key = step.product_key and listed.availability in ('available', 'unavailable')
      and listed.valid_from < step.changed_at and (listed.valid_to is null or listed.valid_to >= step.changed_at));

select ops.describe('marts.fct_loyalty_price_change', $$
One row is a change of a product's price for loyalty members: it began, ended, or changed its value, while the product
  stayed listed.
product_key: Joins dim_product; product_id alone may name a later article, too.
snapshot_date: Snapshot date of that run.
old_loyalty_price: Loyalty price before, in currency; null: there was none.
new_loyalty_price: Loyalty price after, in currency; null: there is none any more.
$$);
