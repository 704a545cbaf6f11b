-- The night's content hash: a sum over all listed products, computed from the previous night's hash and the changes.

update night
set content_hash = (
  select coalesce(sum(catalog.product_hash(n.product_id, n.title, n.price, n.currency, n.unit_price, n.unit_of_measure,
    n.loyalty_price, n.availability, n.on_promotion)), 0)
  from touched
  join marts.product_now n using (product_key)
  where n.availability in ('available', 'unavailable')
) + coalesce((
  select base.content_hash - night.hash_before from ops.certificate base where base.run_id = night.base_run_id), 0);
