create view marts.fct_category_daily as
select region, snapshot_date, category_key, category.category_id, category.depth, category.path,
  products_listed, products_available, products_on_promotion, products_with_loyalty_price,
  average_price, median_price, average_loyalty_discount_pct, arrivals, departures, price_increases, price_decreases,
  product_days_at_risk, currency, change_seq, updated_at
from catalog.daily_figures
join catalog.category category using (region, category_key);

select ops.describe('marts.fct_category_daily', $$
One row is a category on a certified night, with the figures of fct_region_daily for the products in it. A product
  counts once in each of its categories and each of their ancestors. A category has a row if a
  product of it is listed, or had a price on the previous certified night.
region: uk or ie; with snapshot_date and category_key the natural key.
arrivals: Products with a price in the category that were not in it with a price on the previous certified night; null
  on the region's first night.
departures: Products that were in the category with a price on the previous certified night and are not any more, or
  are out of stock for 60 nights now; null on the region's first night.
price_increases: Products listed in the category on both nights whose price rose; the price of a product not for sale is
  its last sale price. Null on the region's first night.
price_decreases: Products listed in the category on both nights whose price fell; the price of a product not for sale is
  its last sale price. Null on the region's first night.
product_days_at_risk: Products with a price in the category on this and the previous certified night, times the days
  between. Null on the region's first night.
$$, 'marts.fct_region_daily');
