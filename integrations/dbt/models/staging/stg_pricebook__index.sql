-- depends_on: {{ source('pricebook', 'snapshot') }}
-- The headline series of docs/analyse/method.md, by department.
select region, period_start as snapshot_date, category_key, coalesce(category_path, 'whole region') as department,
  value, base_start, is_final, is_thin
from {{ source('pricebook', 'price_index') }}
where period = 'day' and method = 'geks_jevons' and price_basis = 'shelf_adjusted'
  and (category_key is null or category_key in (
    select category_key from {{ source('pricebook', 'dim_category') }} where depth = 0))
