select * from {{ ref('stg_pricebook__products') }}
