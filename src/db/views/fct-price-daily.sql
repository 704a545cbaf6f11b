create view marts.fct_price_daily as
select
  night.region,
  night.snapshot_date,
  night.product_id,
  night.product_key,
  night.title,
  night.price,
  night.currency,
  night.unit_price,
  night.unit_of_measure,
  night.loyalty_price,
  night.availability,
  night.on_promotion,
  night.change_seq,
  night.updated_at,
  night.brand
from (
  select distinct on (region, snapshot_date) region, snapshot_date, run_id
  from ops.certified_run
  order by region, snapshot_date, run_id desc
) as certified
join marts.product_night night on night.run_id = certified.run_id;

comment on view marts.fct_price_daily is
  'One row is a listed product on a snapshot date that has a certified run, as of the latest certified run of that '
  'date. Always name a region and dates, or products: the whole view is every product on every night. '
  'marts.as_of returns a single night faster, certified or not.';
comment on column marts.fct_price_daily.region is 'uk or ie.';
comment on column marts.fct_price_daily.snapshot_date is 'Calendar date of the night in the region''s time zone.';
comment on column marts.fct_price_daily.product_id is
  'The upstream''s product id; with region and snapshot_date the natural key.';
comment on column marts.fct_price_daily.product_key is 'Joins dim_product.';
comment on column marts.fct_price_daily.title is 'Title of that night, without spaces at its ends.';
comment on column marts.fct_price_daily.brand is 'Brand of that night as printed; null when not given.';
comment on column marts.fct_price_daily.price is
  'Ordinary price in currency; null if the product was listed without one.';
comment on column marts.fct_price_daily.currency is 'ISO 4217 code of the amounts in the row.';
comment on column marts.fct_price_daily.unit_price is
  'Price of one unit_of_measure in currency, converted to kg, litre or each where that divides evenly: '
  '13.25 per 100g is 132.5 per kg. Null when not given.';
comment on column marts.fct_price_daily.unit_of_measure is
  'Measure of unit_price: kg, litre or each, kg DR.WT for drained weight; any other measure as given.';
comment on column marts.fct_price_daily.loyalty_price is
  'Lowest price for loyalty members among the promotions in effect that night; null without one.';
comment on column marts.fct_price_daily.availability is 'available, or unavailable: listed but not for sale.';
comment on column marts.fct_price_daily.on_promotion is 'Whether any promotion was attached and in effect that night.';
comment on column marts.fct_price_daily.change_seq is
  'Change key of the night: rises whenever the night is written or changed, in commit order. '
  'Rows with a greater key than those of a copy are new or have changed.';
comment on column marts.fct_price_daily.updated_at is 'Instant of that change, by the clock of the program.';
