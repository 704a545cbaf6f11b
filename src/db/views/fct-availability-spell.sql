create view marts.fct_availability_spell as
select
  p.region,
  p.product_id,
  p.product_key,
  spell.availability,
  spell.previous_availability,
  spell.valid_from,
  spell.valid_to,
  case when spell.valid_to is null then change.open_seq else change.change_seq end as change_seq,
  case when spell.valid_to is null then change.open_updated_at else change.updated_at end as updated_at
from catalog.product p
join catalog.region region on region.region = p.region
cross join lateral (
  select *, lead(valid_from) over (order by valid_from) as valid_to
  from (
    select *, lag(availability) over (order by valid_from) as previous_availability
    from (
      -- The last change of a date is the result of the night's last run.
      select distinct on (1) (h.valid_from at time zone region.time_zone)::date as valid_from,
        h.availability::text as availability
      from catalog.availability_spell h
      where h.product_key = p.product_key
      order by 1, h.valid_from desc
    ) as night
  ) as marked
  where availability is distinct from previous_availability
) as spell
-- An ended spell has the key of the night that ended it.
left join ops.night_change change
  on change.region = p.region and change.snapshot_date = coalesce(spell.valid_to, spell.valid_from);

select ops.describe('marts.fct_availability_spell', $$
One row is a spell of nights during which a product had one availability. The spells of a product are contiguous from
  the night it was first seen. Computed product by product: name products.
availability: available, unavailable (listed, not for sale), absent (missed by one certified night) or delisted (missed
  by several in a row).
previous_availability: Availability of the previous spell; null for the first one.
$$, 'marts.fct_price_spell');
