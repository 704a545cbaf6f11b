create view marts.fct_region_daily as
select region, snapshot_date, products_listed, products_available, products_on_promotion, products_with_loyalty_price,
  average_price, median_price, average_loyalty_discount_pct, arrivals, departures, price_increases, price_decreases,
  product_days_at_risk, currency, change_seq, updated_at
from catalog.daily_figures
where category_key = 0;

select ops.describe('marts.fct_region_daily', $$
One row is a region on a certified night, as of its latest certified run. Written after each certified night; a product
  without a price counts only in products_listed.
region: uk or ie; with snapshot_date the natural key.
products_listed: Products available or unavailable, with or without a price.
products_available: Products for sale with a price.
products_on_promotion: Products for sale with a price and any attached promotion in effect.
products_with_loyalty_price: Products for sale with a price and a price for loyalty members.
average_price: Arithmetic mean of the prices of products for sale, in currency, four decimals; null if there is none.
  Depends on the range of products: for inflation see price_index.
median_price: Median of the prices of products for sale, in currency; the mean of the middle two if their number is
  even.
average_loyalty_discount_pct: Average discount of loyalty prices, in percent of the price, over the products that had
  one, four decimals; null without any.
arrivals: Products with a price that had none, or were not listed, on the previous certified night; null on the first.
departures: Products that had a price on the previous certified night and have none, are not listed, or are out of stock
  for 60 nights now; null on the first night.
price_increases: Products listed on both nights whose price rose; the price of a product not for sale is its last sale
  price. Null on the first night.
price_decreases: Products listed on both nights whose price fell; the price of a product not for sale is its last sale
  price. Null on the first night.
product_days_at_risk: Products with a price on this and the previous certified night, times the days between. For rates
  of price changes divide by it: these are the days on which a change could happen and be seen. Null on the first night.
change_seq: Change key of the data derived from the night: rises whenever it is written or changed, in commit order.
  Rows with a greater key than those of a copy are new or have changed.
$$);
