-- The night's content hash: a sum over all listed products, computed from the previous night's hash and the changes.

create temporary table content_hash on commit drop as
select coalesce(sum(catalog.product_hash(n.product_id, n.title, n.price, n.currency, n.unit_price, n.unit_of_measure,
  n.loyalty_price, n.availability, n.on_promotion)), 0)
  + coalesce((
    select base.content_hash - hash_before.hash
    from night join ops.certificate base on base.run_id = night.base_run_id cross join hash_before), 0) as hash
from touched
join marts.product_now n using (product_key)
where n.availability in ('available', 'unavailable');
