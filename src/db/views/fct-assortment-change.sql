create view marts.fct_assortment_change as
select
  region,
  product_id,
  product_key,
  valid_from as snapshot_date,
  case
    when previous_availability is null then 'arrival'
    when availability in ('available', 'unavailable') then 'return'
    else 'departure'
  end as event
from marts.fct_availability_spell
where (availability in ('available', 'unavailable')) <> coalesce(previous_availability in ('available', 'unavailable'), false);

comment on view marts.fct_assortment_change is 'One row is a product that entered or left what a region lists. The first night of a book is one of arrivals.';
comment on column marts.fct_assortment_change.region is 'uk or ie.';
comment on column marts.fct_assortment_change.product_id is 'The upstream''s product id.';
comment on column marts.fct_assortment_change.product_key is 'Joins dim_product.';
comment on column marts.fct_assortment_change.snapshot_date is 'Snapshot date of the night that saw it first.';
comment on column marts.fct_assortment_change.event is 'arrival: listed for the first time. departure: no longer listed, by a certified night. return: listed again.';
