create view marts.fct_availability_spell as
-- A night counts as its last run left it: if a product changed twice on one date, spells of zero length are dropped and
-- the spells around them merged. That happens only on dates crawled twice; all other spells are history rows. One
-- select without a union, so that filters on products and on nights reach the table.
select
  p.region,
  p.product_id,
  p.product_key,
  h.availability::text as availability,
  (
    select earlier.availability::text
    from catalog.availability_spell earlier
    where earlier.product_key = h.product_key
      and earlier.valid_from < h.valid_from
      and (
        changed_twice.product_key is null
        or (earlier.valid_from at time zone region.time_zone)::date
          < (earlier.valid_to at time zone region.time_zone)::date)
    order by earlier.valid_from desc
    limit 1
  ) as previous_availability,
  night.snapshot_date as valid_from,
  ending.valid_to,
  case when ending.valid_to is null then change.open_seq else change.change_seq end as change_seq,
  case when ending.valid_to is null then change.open_updated_at else change.updated_at end as updated_at
from catalog.availability_spell h
join catalog.product p on p.product_key = h.product_key
join catalog.region region on region.region = p.region
join ops.published_run night on night.region = p.region and night.observed_at = h.valid_from
left join (
  select distinct short.product_key
  from ops.run first
  join ops.run again
    on again.region = first.region
      and again.snapshot_date = first.snapshot_date
      and again.observed_at > first.observed_at
  join catalog.availability_history short on short.valid_from = first.observed_at and short.valid_to = again.observed_at
) as changed_twice on changed_twice.product_key = h.product_key
cross join lateral (
  select
    case
      when changed_twice.product_key is null or h.valid_to is null then (h.valid_to at time zone region.time_zone)::date
      else (
        select min((later.valid_from at time zone region.time_zone)::date)
        from catalog.availability_spell later
        where later.product_key = h.product_key
          and later.valid_from >= h.valid_to
          and later.availability <> h.availability
          and (
            later.valid_to is null
            or (later.valid_from at time zone region.time_zone)::date
              < (later.valid_to at time zone region.time_zone)::date))
    end as valid_to
) as ending
-- An ended spell has the key of the night that ended it.
left join ops.night_change change
  on change.region = p.region and change.snapshot_date = coalesce(ending.valid_to, night.snapshot_date)
where changed_twice.product_key is null
  or (
    (h.valid_to is null or (h.valid_to at time zone region.time_zone)::date > night.snapshot_date)
    and h.availability is distinct from (
      select earlier.availability
      from catalog.availability_spell earlier
      where earlier.product_key = h.product_key
        and earlier.valid_from < h.valid_from
        and (earlier.valid_from at time zone region.time_zone)::date
          < (earlier.valid_to at time zone region.time_zone)::date
      order by earlier.valid_from desc
      limit 1));

select ops.describe('marts.fct_availability_spell', $$
One row is a spell of nights during which a product had one availability. The spells of a product are contiguous from
  the night it was first seen.
availability: available, unavailable (listed, not for sale), absent (missed by one certified night) or delisted (missed
  by several in a row).
previous_availability: Availability of the previous spell; null for the first one.
change_seq: Change key of the row: rises whenever the spell begins or ends or its nights are changed, in commit order.
  Rows with a greater key than those of a copy are new or have changed.
$$);
