-- What products' own pages state, if it is new or different. An empty page ends nothing: a product does not change its
-- composition when its page disappears.

insert into detail
select d.*, p.product_key
from night join stage.detail d using (run_id)
join catalog.product p on p.region = night.region and p.product_id = d.product_id and p.replaced_at is null
left join catalog.product_detail open on open.product_key = p.product_key and open.valid_to is null
where open.detail_hash is distinct from d.detail_hash
  and (open.product_key is null or not (
    coalesce(d.status, 'ProductNotFound') = 'ProductNotFound' and d.allergens = '{}' and d.nutrition = '[]'
    and num_nonnulls(d.description, d.ingredients, d.storage, d.gtin, d.leaf_id, d.charges) = 0));

update catalog.product_detail open
set valid_to = (select observed_at from night)
from detail d
where open.product_key = d.product_key and open.valid_to is null;

insert into catalog.product_detail (product_key, valid_from, detail_hash, description, ingredients, allergens,
  pack_size, pack_measure, pack_count, storage, gtin, leaf_id, catch_weight_grams, charges, deposit_minor,
  product_type, status, extra)
select product_key, (select observed_at from night), detail_hash, description, ingredients, allergens, pack_size,
  pack_measure, pack_count, storage, gtin, leaf_id, catch_weight_grams, charges, deposit_minor, product_type, status,
  extra
from detail
order by product_key;

insert into catalog.product_nutrition (product_key, valid_from, nutrient, basis, amount, unit, is_upper_bound, printed)
select distinct on (d.product_key, n.nutrient, n.basis) d.product_key, (select observed_at from night), n.nutrient,
  n.basis, n.amount, n.unit, n."isUpperBound", n.printed
from detail d
cross join lateral rows from (
  jsonb_to_recordset(d.nutrition)
    as (nutrient text, basis text, amount numeric, unit text, "isUpperBound" boolean, printed text)
) with ordinality as n
order by d.product_key, n.nutrient, n.basis, n.ordinality;

-- A barcode that only the own page has. A version that began tonight is changed, others end.
with barcode as materialized (
  select p.*, d.gtin as other
  from detail d join catalog.product p using (product_key)
  where d.gtin is not null and (p.gtin is null or p.has_gtin_of_details and p.gtin <> d.gtin)
), ended as (
  insert into catalog.product_history (product_key, valid_from, valid_to, tpnb, gtin, title, brand, image_url, seller,
    catch_weight_grams, charges, deposit_minor, extra, pack_size, pack_measure, pack_count, plain_name, match_key)
  select b.product_key, b.valid_from, night.observed_at, b.tpnb, b.gtin, b.title, b.brand, b.image_url, b.seller,
    b.catch_weight_grams, b.charges, b.deposit_minor, b.extra, b.pack_size, b.pack_measure, b.pack_count, b.plain_name,
    b.match_key
  from night cross join barcode b
  where b.valid_from < night.observed_at
  order by b.product_key
)
update catalog.product p
set gtin = b.other, has_gtin_of_details = true, valid_from = (select observed_at from night)
from barcode b
where p.product_key = b.product_key;
