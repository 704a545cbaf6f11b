-- Daily figures of a category, or a whole region, in a week from Monday.
create view ops.weekly_figure as
select shelf.region, week.week_starts_on, shelf.category_key, shelf.category_id, shelf.depth, shelf.path, week.nights,
  week.product_nights, week.available_product_nights, week.promoted_product_nights, week.loyalty_product_nights,
  week.loyalty_discount_pct_sum
from (
  select region, category_key as figure_key, category_key, category_id, depth, path
  from catalog.category
  union all
  -- Figures of a whole region have the key 0.
  select region, 0, null, null, null, null
  from catalog.region
) as shelf
-- One branch per category, so that a few of them can be read alone.
cross join lateral (
  select
    date_trunc('week', snapshot_date::timestamp)::date as week_starts_on,
    count(*)::integer as nights,
    sum(products_listed) as product_nights,
    sum(products_available) as available_product_nights,
    sum(products_on_promotion) as promoted_product_nights,
    sum(products_with_loyalty_price) as loyalty_product_nights,
    sum(loyalty_discount_pct_sum) as loyalty_discount_pct_sum
  from derived.daily_figure figure
  -- A category has a row of zeros for the night on which it became empty.
  where figure.region = shelf.region and figure.category_key = shelf.figure_key and figure.products_listed > 0
  group by date_trunc('week', snapshot_date::timestamp)::date
) as week;
