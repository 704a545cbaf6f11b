create view marts.fct_promotion_calendar as
select
  shelf.region,
  week.week_starts_on,
  shelf.category_key,
  shelf.category_id,
  shelf.depth,
  shelf.path,
  week.nights,
  week.product_nights,
  week.promoted_product_nights,
  (100 * promoted_product_nights / nullif(product_nights, 0)::numeric)::numeric(5, 2) as share_on_promotion_pct,
  (100 * loyalty_product_nights / nullif(product_nights, 0)::numeric)::numeric(5, 2) as share_with_loyalty_price_pct,
  (loyalty_discount_pct_sum / nullif(loyalty_product_nights, 0))::numeric(5, 2) as average_loyalty_discount_pct
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
    sum(products_available) as product_nights,
    sum(products_on_promotion) as promoted_product_nights,
    sum(products_with_loyalty_price) as loyalty_product_nights,
    sum(loyalty_discount_pct_sum) as loyalty_discount_pct_sum
  from derived.daily_figure figure
  -- A category has a row of zeros for the night on which it became empty.
  where figure.region = shelf.region and figure.category_key = shelf.figure_key and figure.products_listed > 0
  group by date_trunc('week', snapshot_date::timestamp)::date
) as week;

select ops.describe('marts.fct_promotion_calendar', $$
One row is a category, or a whole region, in a week: the share of the time for sale that its products were on promotion.
  A product counts once in each of its categories and each of their ancestors.
week_starts_on: Monday of the ISO 8601 week.
category_id: The upstream's category id; null for the whole region.
path: Names from the top level down, joined with " > "; null for the whole region.
nights: Certified nights of the week with listed products.
product_nights: Products for sale with a price, summed over those nights.
promoted_product_nights: Those of the product nights with a promotion in effect.
share_on_promotion_pct: promoted_product_nights in percent of product_nights: the share of the time for sale.
share_with_loyalty_price_pct: Share of product_nights with a price for loyalty members, in percent.
average_loyalty_discount_pct: Average discount of loyalty prices, in percent of the price, over the product nights that
  had one; null without any.
$$, 'marts.price_index');
