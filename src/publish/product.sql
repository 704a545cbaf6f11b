-- New products. The former version of products whose title, brand, codes, image, seller, typical weight or charges
-- changed moves to product_history. A barcode from the product's own page stays if the listing has none.

-- Content hash contribution of replaced articles, which are no longer in marts.product_now.
update night
set hash_before = (
  select coalesce(sum(catalog.product_hash(n.product_id, n.title, n.price, n.currency, n.unit_price, n.unit_of_measure,
    n.loyalty_price, n.availability, n.on_promotion)), 0)
  from marts.product_now n
  where n.product_key = any (night.replaced) and n.availability in ('available', 'unavailable'))
where replaced <> '{}';

update catalog.product
set replaced_at = (select observed_at from night)
where product_key = any ((select replaced from night)::int[]);

insert into catalog.product (product_key, region, product_id, tpnb, gtin, title, brand, image_url, seller,
  catch_weight_grams, charges, deposit_minor, is_for_sale, first_seen_at, valid_from, entry_hash)
overriding system value
select w.product_key, (select region from night), w.product_id, w.tpnb, w.gtin, w.title, w.brand, w.image_url, w.seller,
  w.catch_weight_grams, w.charges, w.deposit_minor, w.is_for_sale,
  (select observed_at from night), (select observed_at from night), w.entry_hash
from winner w
where w.is_new
order by w.product_key;

with version as materialized (
  select w.product_key, w.title, w.brand, w.tpnb,
    coalesce(w.gtin, case when f.has_gtin_of_details then f.gtin end) as gtin,
    w.gtin is null and coalesce(f.has_gtin_of_details, false) as has_gtin_of_details,
    w.image_url, w.seller, w.catch_weight_grams, w.charges, w.deposit_minor,
    (f.title, f.brand, f.tpnb, f.gtin, f.image_url, f.seller, f.catch_weight_grams, f.charges, f.deposit_minor)
      is distinct from (w.title, w.brand, w.tpnb, coalesce(w.gtin, case when f.has_gtin_of_details then f.gtin end),
        w.image_url, w.seller, w.catch_weight_grams, w.charges, w.deposit_minor) as is_other
  from winner w
  join former f using (product_key)
),
kept as (
  insert into catalog.product_history (product_key, valid_from, valid_to, tpnb, gtin, title, brand, image_url, seller,
    catch_weight_grams, charges, deposit_minor)
  select f.product_key, f.valid_from, (select observed_at from night), f.tpnb, f.gtin, f.title, f.brand, f.image_url,
    f.seller, f.catch_weight_grams, f.charges, f.deposit_minor
  from version
  join former f using (product_key)
  where version.is_other
  order by f.product_key
)
update catalog.product p
set title = v.title, brand = v.brand, tpnb = v.tpnb, gtin = v.gtin, has_gtin_of_details = v.has_gtin_of_details,
  image_url = v.image_url, seller = v.seller, catch_weight_grams = v.catch_weight_grams, charges = v.charges,
  deposit_minor = v.deposit_minor, is_for_sale = w.is_for_sale, entry_hash = w.entry_hash,
  valid_from = case when v.is_other then (select observed_at from night) else p.valid_from end
from version v
join winner w using (product_key)
where p.product_key = v.product_key;
