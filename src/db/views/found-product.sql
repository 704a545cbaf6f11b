create view marts.found_product as
select
  f.region,
  f.product_id,
  f.keyword,
  f.title,
  f.brand,
  f.tpnb,
  f.gtin,
  f.image_url,
  f.is_for_sale,
  f.price_minor * 0.01 as price,
  region.currency,
  f.first_found_at,
  f.last_found_at,
  p.first_seen_at as listed_since
from catalog.found_product f
join catalog.region region on region.region = f.region
left join catalog.product p on p.region = f.region and p.product_id = f.product_id and p.replaced_at is null;

comment on view marts.found_product is
  'One row is a product that a search showed before any night listed it. It is not in dim_product until a night lists '
  'it.';
comment on column marts.found_product.region is 'uk; Ireland has no search.';
comment on column marts.found_product.product_id is 'The upstream''s product id.';
comment on column marts.found_product.keyword is 'Search that first showed it.';
comment on column marts.found_product.title is 'Title as last shown.';
comment on column marts.found_product.brand is 'Brand as last shown.';
comment on column marts.found_product.tpnb is 'Base product number without leading zeros.';
comment on column marts.found_product.gtin is 'Barcode, 14 digits.';
comment on column marts.found_product.image_url is 'Image as last shown.';
comment on column marts.found_product.is_for_sale is 'Whether it was last shown as for sale.';
comment on column marts.found_product.price is 'Price as last shown.';
comment on column marts.found_product.currency is 'Currency of the price.';
comment on column marts.found_product.first_found_at is 'First search that showed it.';
comment on column marts.found_product.last_found_at is 'Last search that showed it before any night listed it.';
comment on column marts.found_product.listed_since is 'First night that listed it; null if none has.';
