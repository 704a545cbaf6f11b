-- Values that only a product's own page has: its barcode, and its category.

with barcode as materialized (
  select p.product_key, d.gtin, p.valid_from < (select observed_at from night) as is_earlier
  from detail_change d
  join catalog.product p using (product_key)
  where d.gtin is not null and (p.gtin is null or p.has_gtin_of_details and p.gtin <> d.gtin)
),
-- Reads the products as they were before the update.
kept as (
  insert into catalog.product_history (product_key, valid_from, valid_to, tpnb, gtin, title, brand, image_url, seller,
    catch_weight_grams, charges, deposit_minor)
  select p.product_key, p.valid_from, (select observed_at from night), p.tpnb, p.gtin, p.title, p.brand, p.image_url,
    p.seller, p.catch_weight_grams, p.charges, p.deposit_minor
  from barcode b
  join catalog.product p using (product_key)
  where b.is_earlier
  order by p.product_key
)
update catalog.product p
set gtin = b.gtin, has_gtin_of_details = true, valid_from = (select observed_at from night)
from barcode b
where p.product_key = b.product_key;

-- A breadcrumb of the listing takes precedence over that of the page.
create temporary table shelf_of_details on commit drop as
select d.product_key, c.category_key
from detail_change d
join catalog.category c on c.region = (select region from night) and c.category_id = d.leaf_id
where not exists (
  select from catalog.product_category pc
  where pc.product_key = d.product_key and pc.valid_to is null and pc.source = 'breadcrumb');

update catalog.product_category pc
set valid_to = (select observed_at from night)
where pc.valid_to is null and pc.source = 'details' and pc.valid_from < (select observed_at from night)
  and (
    exists (
      select from shelf_of_details s
      where s.product_key = pc.product_key and s.category_key <> pc.category_key)
    or pc.product_key in (select product_key from leaf where category_key is not null));

insert into catalog.product_category (product_key, category_key, valid_from, source)
select s.product_key, s.category_key, (select observed_at from night), 'details'
from shelf_of_details s
where not exists (
  select from catalog.product_category pc
  where pc.product_key = s.product_key and pc.category_key = s.category_key and pc.valid_to is null)
order by s.product_key;
