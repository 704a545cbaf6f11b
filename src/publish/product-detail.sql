-- New or changed details, each with its nutrition table. An empty page does not close known details, because a product
-- does not change its composition when its page disappears; it is stored only if no details are known.

create temporary table detail_change on commit drop as
select p.product_key, d.*
from stage.detail d
join catalog.product p on p.product_id = d.product_id and p.replaced_at is null
left join catalog.product_detail open on open.product_key = p.product_key and open.valid_to is null
cross join lateral (
  select (d.status is null or d.status = 'ProductNotFound') and d.description is null and d.ingredients is null
    and d.storage is null and d.gtin is null and d.leaf_id is null and d.charges is null and d.allergens = '{}'
    and d.nutrition = '[]' as is_empty
) as page
where d.run_id = (select run_id from night) and p.region = (select region from night)
  and open.detail_hash is distinct from d.detail_hash and (open.product_key is null or not page.is_empty);

update catalog.product_detail open
set valid_to = (select observed_at from night)
from detail_change d
where open.product_key = d.product_key and open.valid_to is null;

insert into catalog.product_detail (product_key, valid_from, detail_hash, description, ingredients, allergens,
  pack_size, pack_measure, pack_count, storage, gtin, leaf_id, catch_weight_grams, charges, deposit_minor, product_type,
  status)
select product_key, (select observed_at from night), detail_hash, description, ingredients, allergens, pack_size,
  pack_measure, pack_count, storage, gtin, leaf_id, catch_weight_grams, charges, deposit_minor, product_type, status
from detail_change
order by product_key;

insert into catalog.product_nutrition (product_key, valid_from, nutrient, basis, amount, unit, is_upper_bound, printed)
select distinct on (d.product_key, n.nutrient, n.basis) d.product_key, (select observed_at from night), n.nutrient,
  n.basis, n.amount, n.unit, n."isUpperBound", n.printed
from detail_change d
cross join lateral rows from (
  jsonb_to_recordset(d.nutrition)
    as (nutrient text, basis text, amount numeric, unit text, "isUpperBound" boolean, printed text)
) with ordinality as n
order by d.product_key, n.nutrient, n.basis, n.ordinality;
