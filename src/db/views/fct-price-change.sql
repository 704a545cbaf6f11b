create view marts.fct_price_change as
select
  p.region,
  p.product_id,
  later.valid_from as changed_at,
  night.snapshot_date,
  (earlier.price_minor * 0.01)::numeric(12, 2) as old_price,
  (later.price_minor * 0.01)::numeric(12, 2) as new_price,
  region.currency,
  round(100.0 * (later.price_minor - earlier.price_minor) / earlier.price_minor, 2) as change_pct,
  change.change_seq,
  change.updated_at
from catalog.price_history later
-- The row before, found by its key; it is no earlier value where it ended before this one began.
cross join lateral (
  select before.price_minor, before.valid_to
  from catalog.price_history before
  where before.product_key = later.product_key and before.valid_from < later.valid_from
  order by before.valid_from desc
  limit 1
) as earlier
join catalog.product p on p.product_key = later.product_key
join catalog.region region on region.region = p.region
join ops.run night
  on night.region = p.region and night.observed_at = later.valid_from and night.status = 'published'
left join ops.night_change change on change.region = night.region and change.snapshot_date = night.snapshot_date
-- It cannot have ended later; said like this, the planner does not take it for a rare chance.
where earlier.valid_to >= later.valid_from and later.price_minor <> earlier.price_minor;

comment on view marts.fct_price_change is 'One row is a change of a product''s ordinary price from one known value to another. A first price, and a price that is lost or found again, are no change.';
comment on column marts.fct_price_change.region is 'uk or ie.';
comment on column marts.fct_price_change.product_id is 'The upstream''s product id.';
comment on column marts.fct_price_change.changed_at is 'The instant of the run that saw the new price first.';
comment on column marts.fct_price_change.snapshot_date is 'Snapshot date of that run.';
comment on column marts.fct_price_change.old_price is 'Price before, in currency.';
comment on column marts.fct_price_change.new_price is 'Price after, in currency.';
comment on column marts.fct_price_change.currency is 'ISO 4217 code of the amounts in the row.';
comment on column marts.fct_price_change.change_pct is 'Change in percent of the old price, two decimals; negative when it became cheaper.';
comment on column marts.fct_price_change.change_seq is 'Change key of the night: rises whenever the night is written or changed, in the order in which changes are committed. Rows with a greater one than those of a copy are new or changed since.';
comment on column marts.fct_price_change.updated_at is 'Instant of that change, by the clock that the program ran on.';
