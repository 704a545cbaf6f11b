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
  round(figure.price_sum_minor * 0.01 / nullif(figure.products_priced, 0), 4) as average_price,
  (figure.median_price_doubled * 0.005)::numeric(12, 3) as median_price,
  round(
    (figure.loyalty_discount_pct_sum / nullif(figure.products_with_loyalty_price, 0))::numeric, 4
  ) as average_loyalty_discount_pct,
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

comment on view marts.fct_category_daily is
  'One row is a category on a certified night, with the figures of fct_region_daily for the products in it. '
  'A product counts once in each of its categories and each of their ancestors. '
  'A category without listed products on this and the previous certified night has no row.';
comment on column marts.fct_category_daily.region is 'uk or ie; with snapshot_date and category_key the natural key.';
comment on column marts.fct_category_daily.snapshot_date is 'Calendar date of the night in the region''s time zone.';
comment on column marts.fct_category_daily.category_key is 'Joins dim_category.';
comment on column marts.fct_category_daily.category_id is 'The upstream''s category id.';
comment on column marts.fct_category_daily.depth is
  'Depth of the category, 0 at the top level. Filter by one depth to count each product once per branch.';
comment on column marts.fct_category_daily.path is 'Names from the top level down, joined with " > ".';
comment on column marts.fct_category_daily.products_listed is
  'Products available or unavailable, with or without a price.';
comment on column marts.fct_category_daily.products_available is 'Products for sale with a price.';
comment on column marts.fct_category_daily.products_on_promotion is
  'Products for sale with a price and any attached promotion in effect.';
comment on column marts.fct_category_daily.products_with_loyalty_price is
  'Products for sale with a price and a price for loyalty members.';
comment on column marts.fct_category_daily.average_price is
  'Arithmetic mean of the prices of products for sale, in currency, four decimals; null if there is none.';
comment on column marts.fct_category_daily.median_price is 'Median of the prices of products for sale, in currency.';
comment on column marts.fct_category_daily.average_loyalty_discount_pct is
  'Average discount of loyalty prices, in percent of the price, over the products that had one, four decimals; '
  'null without any.';
comment on column marts.fct_category_daily.arrivals is
  'Products with a price in the category that were not in it with a price on the previous certified night; '
  'null on the region''s first night.';
comment on column marts.fct_category_daily.departures is
  'Products that were in the category with a price on the previous certified night and are not any more; '
  'null on the region''s first night.';
comment on column marts.fct_category_daily.price_increases is
  'Products listed in the category on both nights whose price rose; the price of a product not for sale is its last '
  'sale price. Null on the region''s first night.';
comment on column marts.fct_category_daily.price_decreases is
  'Products listed in the category on both nights whose price fell; the price of a product not for sale is its last '
  'sale price. Null on the region''s first night.';
comment on column marts.fct_category_daily.currency is 'ISO 4217 code of the amounts in the row.';
comment on column marts.fct_category_daily.change_seq is
  'Change key of the data derived from the night: rises whenever it is written or changed, in commit order. '
  'Rows with a greater key than those of a copy are new or have changed.';
comment on column marts.fct_category_daily.updated_at is 'Instant of that change, by the clock of the program.';
