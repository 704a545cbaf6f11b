-- New products; the former version of those whose title, brand, codes or image changed goes to product_history.

insert into catalog.product (product_key, region, product_id, tpnb, gtin, title, brand, image_url, is_for_sale, first_seen_at,
  valid_from, listing_hash)
overriding system value
select w.product_key, (select region from night), w.product_id, w.tpnb, w.gtin, w.title, w.brand, w.image_url, w.is_for_sale,
  (select observed_at from night), (select observed_at from night), w.listing_hash
from winner w
where w.is_new
order by w.product_key;

insert into catalog.product_history (product_key, valid_from, valid_to, tpnb, gtin, title, brand, image_url)
select f.product_key, f.valid_from, (select observed_at from night), f.tpnb, f.gtin, f.title, f.brand, f.image_url
from winner w
join former f using (product_key)
where (f.title, f.brand, f.tpnb, f.gtin, f.image_url) is distinct from (w.title, w.brand, w.tpnb, w.gtin, w.image_url)
order by f.product_key;

update catalog.product p
set title = w.title, brand = w.brand, tpnb = w.tpnb, gtin = w.gtin, image_url = w.image_url, is_for_sale = w.is_for_sale,
  listing_hash = w.listing_hash,
  valid_from = case
    when (p.title, p.brand, p.tpnb, p.gtin, p.image_url)
      is not distinct from (w.title, w.brand, w.tpnb, w.gtin, w.image_url) then p.valid_from
    else (select observed_at from night)
  end
from winner w
where p.product_key = w.product_key and not w.is_new;
