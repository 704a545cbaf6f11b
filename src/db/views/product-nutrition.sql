create view marts.product_nutrition as
select
  p.region,
  p.product_id,
  n.product_key,
  n.nutrient,
  n.basis,
  n.amount::numeric(20, 4) as amount,
  n.unit,
  n.is_upper_bound,
  n.printed,
  detail.valid_from as details_since
from catalog.product_nutrition n
join catalog.product_detail detail
  on detail.product_key = n.product_key and detail.valid_from = n.valid_from and detail.valid_to is null
join catalog.product p on p.product_key = n.product_key;

select ops.describe('marts.product_nutrition', $$
One row is a nutrient of a product per basis, from the latest reading of its own page.
nutrient: fat, saturates, carbohydrate, sugars, fibre, protein, salt, energy-kj or energy-kcal, however it is printed.
basis: Basis of the amount: 100g or 100ml; another heading of its column as printed; unknown if the table has none.
amount: Amount in unit.
unit: Unit of the amount: g, mg, kJ, kcal; unknown if none is printed.
is_upper_bound: Whether the value is an upper bound ("less than").
printed: The cell as printed.
details_since: Since when the details are unchanged, as in dim_product.
$$);
