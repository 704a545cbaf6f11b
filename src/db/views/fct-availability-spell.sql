create view marts.fct_availability_spell as
-- A night is what its last run left: of a product that changed twice on one date, spells of no length drop out, and what they
-- parted becomes one. That takes a date crawled twice; all other products' spells are the rows of their history.
select
  p.region,
  p.product_id,
  p.product_key,
  h.availability::text as availability,
  (
    select earlier.availability::text
    from catalog.availability_history earlier
    where earlier.product_key = h.product_key and earlier.valid_from < h.valid_from
    order by earlier.valid_from desc
    limit 1
  ) as previous_availability,
  (h.valid_from at time zone region.time_zone)::date as valid_from,
  (h.valid_to at time zone region.time_zone)::date as valid_to
from catalog.availability_history h
left join (
  select distinct short.product_key
  from ops.run first
  join ops.run again
    on again.region = first.region and again.snapshot_date = first.snapshot_date and again.observed_at > first.observed_at
  join catalog.availability_history short on short.valid_from = first.observed_at and short.valid_to = again.observed_at
) as changed_twice on changed_twice.product_key = h.product_key
join catalog.product p on p.product_key = h.product_key
join catalog.region region on region.region = p.region
where changed_twice.product_key is null
union all
select
  p.region,
  p.product_id,
  p.product_key,
  spell.availability::text,
  spell.previous_availability::text,
  spell.valid_from,
  spell.valid_to
from (
  select distinct short.product_key
  from ops.run first
  join ops.run again
    on again.region = first.region and again.snapshot_date = first.snapshot_date and again.observed_at > first.observed_at
  join catalog.availability_history short on short.valid_from = first.observed_at and short.valid_to = again.observed_at
) as changed_twice
join catalog.product p on p.product_key = changed_twice.product_key
join catalog.region region on region.region = p.region
cross join lateral (
  select
    availability,
    lag(availability) over (order by valid_from) as previous_availability,
    valid_from,
    lead(valid_from) over (order by valid_from) as valid_to
  from (
    select availability, valid_from, lag(availability) over (order by valid_from) is distinct from availability as is_start
    from (
      select distinct on (on_date) on_date as valid_from, h.availability
      from catalog.availability_history h
      cross join lateral (select (h.valid_from at time zone region.time_zone)::date) as night (on_date)
      where h.product_key = p.product_key
      order by on_date, h.valid_from desc
    ) as by_date
  ) as marked
  where is_start
) as spell;

comment on view marts.fct_availability_spell is 'One row is a spell of nights during which a product had one availability. Spells of a product follow each other without a gap from the night it was first seen.';
comment on column marts.fct_availability_spell.region is 'uk or ie.';
comment on column marts.fct_availability_spell.product_id is 'The upstream''s product id.';
comment on column marts.fct_availability_spell.product_key is 'Joins dim_product.';
comment on column marts.fct_availability_spell.availability is 'available, unavailable (listed, not for sale), absent (missed by one certified night) or delisted (missed by several in a row).';
comment on column marts.fct_availability_spell.previous_availability is 'That of the spell before; null in a product''s first.';
comment on column marts.fct_availability_spell.valid_from is 'Snapshot date of the first night.';
comment on column marts.fct_availability_spell.valid_to is 'Snapshot date of the first night after it, so exclusive; null while it lasts.';
