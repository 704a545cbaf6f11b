{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key=['region', 'snapshot_date']) }}

select n.region, n.snapshot_date, n.derived_change_seq as change_seq, n.derived_at as updated_at,
  d.category_key, d.products_listed, d.products_available, d.products_on_promotion, d.median_price, d.currency
from {{ source('pricebook', 'snapshot') }} n
left join {{ source('pricebook', 'fct_category_daily') }} d
  on d.region = n.region and d.snapshot_date = n.snapshot_date and d.depth = 0
where n.derived_change_seq is not null
{% if is_incremental() %}
  and n.derived_change_seq > (select coalesce(max(kept.change_seq), 0) from {{ this }} kept)
{% endif %}
