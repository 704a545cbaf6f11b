create view marts.product_now as
select
  p.region,
  p.product_id,
  p.product_key,
  p.tpnb,
  p.gtin,
  p.title,
  p.brand,
  marts.brand_key(p.brand) as brand_key,
  (case when shown.product_key is null then c.price_minor else shown.price_minor end * 0.01)::numeric(12, 2) as price,
  region.currency,
  case when shown.product_key is null then c.unit_price else shown.unit_price end as unit_price,
  case when shown.product_key is null then c.unit_of_measure else shown.unit_of_measure end as unit_of_measure,
  (c.loyalty_price_minor * 0.01)::numeric(12, 2) as loyalty_price,
  c.availability::text as availability,
  c.offer_since is not null as on_promotion
from catalog.product p
join catalog.region region on region.region = p.region
join catalog.product_current c on c.product_key = p.product_key
left join catalog.shown_price shown on shown.product_key = p.product_key and shown.valid_to is null
where p.replaced_at is null;

comment on view marts.product_now is
  'One row is a product after the last published night, certified or not, including products that are gone with their '
  'last price. For averages, counts and minimum prices, keep availability in (''available'', ''unavailable''). '
  'marts.as_of lists any night; this view is for finding products by any of its columns.';
comment on column marts.product_now.region is 'uk or ie.';
comment on column marts.product_now.product_id is 'The upstream''s product id; with region the natural key.';
comment on column marts.product_now.product_key is 'Joins dim_product. Newer products have higher keys.';
comment on column marts.product_now.tpnb is
  'The supermarket''s base product number without leading zeros; null when not given.';
comment on column marts.product_now.gtin is 'Barcode in 14 digits; null when not given.';
comment on column marts.product_now.title is 'Current title, with each run of white space as one space.';
comment on column marts.product_now.brand is 'Current brand as printed; null when not given.';
comment on column marts.product_now.brand_key is
  'Brand without differences of spelling, to group and filter by: lower case, no accents, no punctuation (MERIDIAN '
  'and Meridian are meridian). Null when brand is.';
comment on column marts.product_now.price is
  'Ordinary price in currency; null when it was listed without one. Of a product that is not for sale the last one '
  'shown, which is no offer; of one that is gone the last.';
comment on column marts.product_now.currency is 'ISO 4217 code of the amounts in the row.';
comment on column marts.product_now.unit_price is 'Price of one unit_of_measure in currency, as in fct_price_daily.';
comment on column marts.product_now.unit_of_measure is 'Measure of unit_price, as in fct_price_daily.';
comment on column marts.product_now.loyalty_price is
  'Lowest price for loyalty members among the promotions in effect; null without one.';
comment on column marts.product_now.availability is
  'available, unavailable (listed, not for sale), absent (missed by one certified night) or delisted (missed by '
  'several in a row).';
comment on column marts.product_now.on_promotion is 'Whether any promotion was attached and in effect.';
