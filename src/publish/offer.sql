-- Offers of the promotions in effect. An offer changes with the promotions of a product, and when one of them begins or
-- ends by its dates: product_current.next_turn holds the next such instant.

create temporary table dated_offer on commit drop as
select c.product_key
from catalog.product_current c
where c.next_turn <= (select observed_at from night) and c.product_key not in (select product_key from winner)
  -- Looked up for the few that remain; a join would read all products.
  and (select p.region from catalog.product p where p.product_key = c.product_key) = (select region from night);

-- One row per product with a promotion that is new, changed or due.
create temporary table offer on commit drop as
select carried.product_key, bool_or(o.is_in_effect) as is_on_promotion,
  min(o.loyalty_price_minor) filter (where o.is_in_effect and o.kind = 'loyalty_price') as loyalty_price_minor,
  min(o.next_turn) as next_turn
from (
  select product_key, promotion_key from offered_promotion
  union all
  select product_key, promotion_key
  from dated_offer
  join catalog.product_promotion using (product_key)
  where valid_to is null
) as carried
join (
  select promotion_key, kind, loyalty_price_minor,
    coalesce(starts_at <= observed_at, true) and coalesce(ends_at > observed_at, true) as is_in_effect,
    least(
      case when starts_at > observed_at then starts_at end,
      case when ends_at > observed_at then ends_at end
    ) as next_turn
  from catalog.promotion
  join night using (region)
) as o using (promotion_key)
group by carried.product_key;
analyze offer;
