create view marts.fct_price_daily as
select
  night.region,
  night.snapshot_date,
  p.product_id,
  p.product_key,
  coalesce(former.title, p.title) as title,
  (price.price_minor * 0.01)::numeric(12, 2) as price,
  region.currency,
  price.unit_price,
  price.unit_of_measure,
  (offer.loyalty_price_minor * 0.01)::numeric(12, 2) as loyalty_price,
  availability.availability::text as availability,
  offer.promotions > 0 as on_promotion
from (
  select distinct on (region, snapshot_date) region, snapshot_date, observed_at
  from ops.run
  where status = 'published' and verdict in ('complete', 'complete_within_tolerance')
  order by region, snapshot_date, run_id desc
) as night
join catalog.region region on region.region = night.region
join catalog.product p on p.region = night.region
join catalog.availability_history availability
  on availability.product_key = p.product_key
  and availability.valid_from <= night.observed_at
  and (availability.valid_to is null or availability.valid_to > night.observed_at)
  and availability.availability in ('available', 'unavailable')
left join catalog.price_history price
  on price.product_key = p.product_key
  and price.valid_from <= night.observed_at
  and (price.valid_to is null or price.valid_to > night.observed_at)
left join catalog.product_history former
  on former.product_key = p.product_key
  and former.valid_from <= night.observed_at
  and former.valid_to > night.observed_at
cross join lateral (
  select
    count(*) as promotions,
    min(promotion.loyalty_price_minor) filter (where promotion.kind = 'loyalty_price') as loyalty_price_minor
  from catalog.product_promotion carried
  join catalog.promotion promotion on promotion.promotion_key = carried.promotion_key
  where carried.product_key = p.product_key
    and carried.valid_from <= night.observed_at
    and (carried.valid_to is null or carried.valid_to > night.observed_at)
    and (promotion.starts_at is null or promotion.starts_at <= night.observed_at)
    and (promotion.ends_at is null or promotion.ends_at > night.observed_at)
) as offer;

comment on view marts.fct_price_daily is 'One row is a listed product on a snapshot date that has a certified run, as the latest certified run of that date left it. Always name a region and dates, or products: as a whole it is every product on every night. marts.as_of gives one night faster, certified or not.';
comment on column marts.fct_price_daily.region is 'uk or ie.';
comment on column marts.fct_price_daily.snapshot_date is 'Calendar date of the night in the region''s time zone.';
comment on column marts.fct_price_daily.product_id is 'The upstream''s product id; with region and snapshot_date the natural key.';
comment on column marts.fct_price_daily.product_key is 'Joins dim_product.';
comment on column marts.fct_price_daily.title is 'Title as it was that night, without spaces at its ends.';
comment on column marts.fct_price_daily.price is 'Ordinary price in currency; null when the product was listed without one.';
comment on column marts.fct_price_daily.currency is 'ISO 4217 code of the amounts in the row.';
comment on column marts.fct_price_daily.unit_price is 'Price of one unit_of_measure in currency, brought to kg, litre or each where that divides evenly: 13.25 per 100g is 132.5 per kg. Null when not given.';
comment on column marts.fct_price_daily.unit_of_measure is 'What unit_price is the price of: kg, litre or each, kg DR.WT for drained weight; any other measure as given.';
comment on column marts.fct_price_daily.loyalty_price is 'Lowest price for loyalty members among the promotions in effect that night; null without one.';
comment on column marts.fct_price_daily.availability is 'available, or unavailable: listed but not for sale.';
comment on column marts.fct_price_daily.on_promotion is 'Whether any promotion was attached and in effect that night.';
