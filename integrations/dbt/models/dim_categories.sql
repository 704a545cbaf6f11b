select * from {{ ref('stg_pricebook__categories') }}
