import type { Step } from './step.ts';

/** A page that says no more than that the product is not there, or nothing at all. */
const isEmpty = `(
  (d.status is null or d.status = 'ProductNotFound') and d.description is null and d.ingredients is null and d.storage is null
  and d.allergens = '{}' and d.nutrition = '[]')`;

/**
 * Details that are new or differ, each with its nutrition table. What a product is made of does not change because its page has
 * gone: an empty page closes no details, it only stands where none are known.
 */
export const productDetail: Step = {
  name: 'product_detail',
  statements: [
    `create temporary table detail_change on commit drop as
     select p.product_key, d.*
     from night
     join stage.detail d using (run_id)
     join catalog.product p on p.region = night.region and p.product_id = d.product_id
     left join catalog.product_detail open on open.product_key = p.product_key and open.valid_to is null
     where open.detail_hash is distinct from d.detail_hash and (open.product_key is null or not ${isEmpty})`,
    `update catalog.product_detail open
     set valid_to = night.observed_at
     from detail_change d cross join night
     where open.product_key = d.product_key and open.valid_to is null`,
    `insert into catalog.product_detail (product_key, valid_from, detail_hash, description, ingredients, allergens, pack_size,
       pack_measure, pack_count, storage, product_type, status)
     select d.product_key, night.observed_at, d.detail_hash, d.description, d.ingredients, d.allergens, d.pack_size,
       d.pack_measure, d.pack_count, d.storage, d.product_type, d.status
     from detail_change d cross join night
     order by d.product_key`,
    `insert into catalog.product_nutrition (product_key, valid_from, nutrient, basis, amount, unit, is_upper_bound, printed)
     select distinct on (d.product_key, n.nutrient, n.basis) d.product_key, night.observed_at, n.nutrient, n.basis, n.amount, n.unit, n."isUpperBound", n.printed
     from detail_change d cross join night
     cross join lateral rows from (
       jsonb_to_recordset(d.nutrition) as (nutrient text, basis text, amount numeric, unit text, "isUpperBound" boolean, printed text)
     ) with ordinality as n
     order by d.product_key, n.nutrient, n.basis, n.ordinality`,
  ],
};
