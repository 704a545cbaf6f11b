create view marts.fct_price_daily as
select night.*
from ops.certified_night certified
join marts.product_night night on night.run_id = certified.run_id;

select ops.describe('marts.fct_price_daily', $$
One row is a listed product on a snapshot date that has a certified run, as of the latest certified run of that date.
  Always name a region and dates, or products: the whole view is every product on every night. marts.as_of returns a
  single night faster, certified or not.
product_id: The upstream's product id; with region and snapshot_date the natural key.
unit_price: Price of one unit_of_measure in currency, converted to kg, litre or each where that divides evenly: 13.25
  per 100g is 132.5 per kg. Four decimals; null when not given.
unit_of_measure: Measure of unit_price: kg, litre or each, kg DR.WT for drained weight; any other measure as given.
$$, 'marts.product_night');
