-- A later night revises earlier values, so the series is read again.
select * from {{ ref('stg_pricebook__index') }}
