-- Figures of a category, or with category_key 0 of the whole region, on a certified night.
create view catalog.daily_figures as
select
  figure.region,
  figure.category_key,
  figure.snapshot_date,
  figure.products_listed,
  figure.products_available,
  figure.products_on_promotion,
  figure.products_with_loyalty_price,
  (figure.price_sum_minor * 0.01 / nullif(figure.products_available, 0))::numeric(14, 4) as average_price,
  (figure.median_price_doubled * 0.005)::numeric(12, 3) as median_price,
  (figure.loyalty_discount_pct_sum / nullif(figure.products_with_loyalty_price, 0))::numeric(7, 4)
    as average_loyalty_discount_pct,
  figure.arrivals,
  figure.departures,
  figure.price_increases,
  figure.price_decreases,
  figure.products_compared * (figure.snapshot_date - (
    select max(night.snapshot_date) from derived.night
    where night.region = figure.region and night.snapshot_date < figure.snapshot_date
  ))::bigint as product_days_at_risk,
  region.currency,
  change.change_seq,
  change.updated_at
from derived.daily_figure figure
join catalog.region region on region.region = figure.region
left join derived.night_change change on change.region = figure.region and change.snapshot_date = figure.snapshot_date;
