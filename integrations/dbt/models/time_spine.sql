select date as date_day
from {{ source('pricebook', 'dim_date') }}
