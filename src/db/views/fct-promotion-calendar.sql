create view marts.fct_promotion_calendar as
select
  region,
  week_starts_on,
  category_key,
  category_id,
  depth,
  path,
  nights,
  product_nights,
  promoted_product_nights,
  (100 * promoted_product_nights / nullif(product_nights, 0)::numeric)::numeric(5, 2) as share_on_promotion_pct,
  (100 * loyalty_product_nights / nullif(product_nights, 0)::numeric)::numeric(5, 2) as share_with_loyalty_price_pct,
  (loyalty_discount_pct_sum / nullif(loyalty_product_nights, 0))::numeric(5, 2) as average_loyalty_discount_pct
from ops.weekly_figure;

select ops.describe('marts.fct_promotion_calendar', $$
One row is a category, or a whole region, in a week: the share of time that its products were on promotion. A product
  counts once in each of its categories and each of their ancestors.
week_starts_on: Monday of the ISO 8601 week; joins dim_date.week_starts_on.
category_key: Joins dim_category; null for the whole region.
category_id: The upstream's category id; null for the whole region.
path: Names from the top level down, joined with " > "; null for the whole region.
nights: Certified nights of the week with listed products.
product_nights: Products listed, summed over those nights.
promoted_product_nights: Product nights with a price and a promotion in effect.
share_on_promotion_pct: promoted_product_nights in percent of product_nights: the share of time on promotion.
share_with_loyalty_price_pct: Share of product_nights with a price for loyalty members, in percent.
average_loyalty_discount_pct: Average discount of loyalty prices, in percent of the price, over the product nights that
  had one; null without any.
$$);
