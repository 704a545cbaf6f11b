{%- set columns = 'region, snapshot_date, product_key, changed_at, old_price, new_price, change_pct, currency' %}
{%- set recent = "snapshot_date >= current_date - " ~ var('pricebook_test_days') %}
with kept as (
  select {{ columns }} from {{ ref('fct_price_changes') }} where product_key is not null and {{ recent }}
), shown as (
  select {{ columns }} from {{ source('pricebook', 'fct_price_change') }} where {{ recent }}
)
(table kept except table shown)
union all
(table shown except table kept)
