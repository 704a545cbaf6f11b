create view marts.fct_out_of_stock_rate as
select
  region,
  week_starts_on,
  category_key,
  category_id,
  depth,
  path,
  nights,
  product_nights,
  product_nights - available_product_nights as out_of_stock_product_nights,
  (100 * (product_nights - available_product_nights) / nullif(product_nights, 0)::numeric)::numeric(5, 2)
    as out_of_stock_pct
from ops.weekly_figure;

select ops.describe('marts.fct_out_of_stock_rate', $$
One row is a category, or a whole region, in a week: the share of listed products that could not be bought. A product
  counts once in each of its categories and each of their ancestors.
week_starts_on: Monday of the ISO 8601 week; joins dim_date.week_starts_on.
category_key: Joins dim_category; null for the whole region.
category_id: The upstream's category id; null for the whole region.
path: Names from the top level down, joined with " > "; null for the whole region.
nights: Certified nights of the week with listed products.
product_nights: Products listed, summed over those nights.
out_of_stock_product_nights: Product nights not for sale or without a price.
out_of_stock_pct: out_of_stock_product_nights in percent of product_nights.
$$);
