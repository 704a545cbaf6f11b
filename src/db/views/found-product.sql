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
  (f.price_minor * 0.01)::numeric(12, 2) as price,
  region.currency,
  f.first_found_at,
  f.last_found_at,
  p.first_seen_at as listed_since
from catalog.found_product f
join catalog.region region on region.region = f.region
left join catalog.product p on p.region = f.region and p.product_id = f.product_id and p.replaced_at is null;

select ops.describe('marts.found_product', $$
One row is a product that a search showed before any night listed it. It is not in dim_product until a night lists it.
region: uk; Ireland has no search.
keyword: Search that first showed it.
title: Title as last shown.
brand: Brand as last shown.
tpnb: Base product number without leading zeros.
gtin: Barcode, 14 digits.
image_url: Image as last shown.
is_for_sale: Whether it was last shown as for sale.
price: Price as last shown.
currency: Currency of the price.
first_found_at: First search that showed it.
last_found_at: Last search that showed it before any night listed it.
listed_since: First night that listed it; null if none has.
$$);
