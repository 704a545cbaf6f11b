create view marts.fct_category_daily as
select
  figure.region,
  figure.snapshot_date,
  figure.category_key,
  category.category_id,
  category.depth,
  category.path,
  figure.products_listed,
  figure.products_available,
  figure.products_on_promotion,
  figure.products_with_loyalty_price,
  (figure.price_sum_minor * 0.01 / nullif(figure.products_priced, 0))::numeric(14, 4) as average_price,
  (figure.median_price_doubled * 0.005)::numeric(12, 3) as median_price,
  (figure.loyalty_discount_pct_sum / nullif(figure.products_with_loyalty_price, 0))::numeric(7, 4)
    as average_loyalty_discount_pct,
  figure.arrivals,
  figure.departures,
  figure.price_increases,
  figure.price_decreases,
  region.currency,
  change.change_seq,
  change.updated_at
from derived.daily_figure figure
join catalog.category category using (region, category_key)
join catalog.region region on region.region = figure.region
left join derived.night_change change on change.region = figure.region and change.snapshot_date = figure.snapshot_date;

select ops.describe('marts.fct_category_daily', $$
One row is a category on a certified night, with the figures of fct_region_daily for the products in it. A product
  counts once in each of its categories and each of their ancestors. A category without listed products on this and the
  previous certified night has no row.
region: uk or ie; with snapshot_date and category_key the natural key.
average_price: Arithmetic mean of the prices of products for sale, in currency, four decimals; null if there is none.
median_price: Median of the prices of products for sale, in currency.
arrivals: Products with a price in the category that were not in it with a price on the previous certified night; null
  on the region's first night.
departures: Products that were in the category with a price on the previous certified night and are not any more; null
  on the region's first night.
price_increases: Products listed in the category on both nights whose price rose; the price of a product not for sale is
  its last sale price. Null on the region's first night.
price_decreases: Products listed in the category on both nights whose price fell; the price of a product not for sale is
  its last sale price. Null on the region's first night.
$$, 'marts.fct_region_daily');
