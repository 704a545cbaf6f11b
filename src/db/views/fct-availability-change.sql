create view marts.fct_availability_change as
select
  p.region,
  p.product_id,
  earlier.valid_to as changed_at,
  night.snapshot_date,
  earlier.availability::text as old_availability,
  later.availability::text as new_availability,
  change.change_seq,
  change.updated_at,
  p.product_key
from catalog.availability_history earlier
-- The next spell, found by its key.
cross join lateral (
  select after.availability, after.valid_from
  from catalog.availability_spell after
  where after.product_key = earlier.product_key and after.valid_from >= earlier.valid_to
  order by after.valid_from
  limit 1
) as later
join catalog.product p on p.product_key = earlier.product_key
join ops.published_run night
  on night.region = p.region and night.observed_at = earlier.valid_to
left join ops.night_change change on change.region = night.region and change.snapshot_date = night.snapshot_date
-- It cannot begin earlier, but without this condition the planner expects almost no rows.
where later.valid_from <= earlier.valid_to and later.availability <> earlier.availability;

select ops.describe('marts.fct_availability_change', $$
One row is a change of a product's availability. The first observation is not a change; see dim_product.first_seen_at.
product_key: Joins dim_product; product_id alone may name a later article, too.
snapshot_date: Snapshot date of that run.
old_availability: State before: available, unavailable, absent or delisted.
new_availability: State after: available, unavailable (listed, not for sale), absent (missed by one certified night) or
  delisted (missed by several in a row).
$$);
