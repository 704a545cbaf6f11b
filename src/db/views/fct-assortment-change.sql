create view marts.fct_assortment_change as
select
  spell.region,
  spell.product_id,
  spell.product_key,
  spell.valid_from as snapshot_date,
  case
    when previous_availability is null then 'arrival'
    when availability not in ('available', 'unavailable') then 'departure'
    -- A product that only the first of two runs of a date listed was not on an earlier night.
    when exists (
      select from catalog.availability_spell earlier
      where earlier.product_key = spell.product_key
        and earlier.availability in ('available', 'unavailable')
        and (earlier.valid_from at time zone region.time_zone)::date < spell.valid_from
        and (earlier.valid_from at time zone region.time_zone)::date
          < (earlier.valid_to at time zone region.time_zone)::date
    ) then 'return'
    else 'arrival'
  end as event,
  change.change_seq,
  change.updated_at
from marts.fct_availability_spell spell
-- Always exists; written as an outer join, it is read only if an event is requested.
left join catalog.region region on region.region = spell.region
left join ops.night_change change on change.region = spell.region and change.snapshot_date = spell.valid_from
where (spell.availability in ('available', 'unavailable'))
  <> coalesce(spell.previous_availability in ('available', 'unavailable'), false);

select ops.describe('marts.fct_assortment_change', $$
One row is a product that entered or left a region's range. On the first night, all products are arrivals.
snapshot_date: Snapshot date of the night that first saw the change.
event: arrival: listed for the first time, as of the last run of the date. departure: no longer listed, by a certified
  night. return: listed again.
$$);
