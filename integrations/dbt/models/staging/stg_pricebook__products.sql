-- depends_on: {{ source('pricebook', 'snapshot') }}
select product_key, region, product_id, title, coalesce(department, 'unknown') as department, brand_key as brand,
  pack_size, pack_measure, availability, is_marketplace, first_seen_at
from {{ source('pricebook', 'dim_product') }}
