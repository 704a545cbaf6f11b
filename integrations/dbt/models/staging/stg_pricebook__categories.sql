-- depends_on: {{ source('pricebook', 'snapshot') }}
select category_key, region, name, depth, parent_key, path
from {{ source('pricebook', 'dim_category') }}
