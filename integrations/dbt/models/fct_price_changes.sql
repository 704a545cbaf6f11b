{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key=['region', 'snapshot_date']) }}

select n.region, n.snapshot_date, n.change_seq, n.updated_at,
  c.product_key, c.changed_at, c.old_price, c.new_price, c.change_pct, c.currency
from {{ source('pricebook', 'snapshot') }} n
left join {{ source('pricebook', 'fct_price_change') }} c on c.region = n.region and c.snapshot_date = n.snapshot_date
{% if is_incremental() %}
where n.change_seq > (select coalesce(max(kept.change_seq), 0) from {{ this }} kept)
{% endif %}
