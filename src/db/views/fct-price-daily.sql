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
from ops.certified_night certified
join marts.product_night night on night.run_id = certified.run_id;

select ops.describe('marts.fct_price_daily', $$
One row is a listed product on a snapshot date that has a certified run, as of the latest certified run of that date.
  Always name a region and dates, or products: the whole view is every product on every night. marts.as_of returns a
  single night faster, certified or not.
product_id: The upstream's product id; with region and snapshot_date the natural key.
title: Title of that night, without spaces at its ends.
brand: Brand of that night as printed; null when not given.
price: Ordinary price in currency; null if the product was listed without one.
unit_price: Price of one unit_of_measure in currency, converted to kg, litre or each where that divides evenly: 13.25
  per 100g is 132.5 per kg. Four decimals; null when not given.
unit_of_measure: Measure of unit_price: kg, litre or each, kg DR.WT for drained weight; any other measure as given.
loyalty_price: Lowest price for loyalty members among the promotions in effect that night; null without one.
availability: available, or unavailable: listed but not for sale.
on_promotion: Whether any promotion was attached and in effect that night.
$$);
