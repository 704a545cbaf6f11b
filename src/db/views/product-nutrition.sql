create view marts.product_nutrition as
select
  p.region,
  p.product_id,
  n.product_key,
  n.nutrient,
  n.basis,
  n.amount,
  n.unit,
  n.is_upper_bound,
  n.printed,
  detail.valid_from as details_since
from catalog.product_nutrition n
join catalog.product_detail detail
  on detail.product_key = n.product_key and detail.valid_from = n.valid_from and detail.valid_to is null
join catalog.product p on p.product_key = n.product_key;

comment on view marts.product_nutrition is 'One row is a nutrient of a product per basis, from the latest reading of its own page.';
comment on column marts.product_nutrition.region is 'uk or ie.';
comment on column marts.product_nutrition.product_id is 'The upstream''s product id.';
comment on column marts.product_nutrition.product_key is 'Joins dim_product.';
comment on column marts.product_nutrition.nutrient is 'Fat, saturates, carbohydrate, sugars, fibre, protein, salt, sodium, energy-kj and energy-kcal by these names, however they are printed; any other by its printed name in small letters, with hyphens between its words.';
comment on column marts.product_nutrition.basis is 'What the amount is in: 100g, 100ml, serving or pack, with prepared behind it where it was measured so; unknown where the table does not say.';
comment on column marts.product_nutrition.amount is 'Amount in unit.';
comment on column marts.product_nutrition.unit is 'Unit of the amount: g, mg, kJ, kcal and the like.';
comment on column marts.product_nutrition.is_upper_bound is 'Whether less than the amount is meant.';
comment on column marts.product_nutrition.printed is 'The cell as it was printed.';
comment on column marts.product_nutrition.details_since is 'Since when the details are what they are, as in dim_product.';
