-- New values of known products that were shown differently, whose promotions began or ended, or whose availability
-- changed. A number that only changed its notation does not count as a change.

create temporary table touched on commit drop as
select product_key from winner
union
select product_key from dated_offer
union
select product_key from availability_change;
analyze touched;

create temporary table change on commit drop as
select c.product_key,
  compared.is_new_price,
  case when is_new_price then w.price_minor else c.price_minor end as price_minor,
  case when is_new_price then w.unit_price else c.unit_price end as unit_price,
  case when is_new_price then w.unit_of_measure else c.unit_of_measure end as unit_of_measure,
  a.product_key is not null as is_new_availability,
  coalesce(a.availability, c.availability) as availability,
  is_offer_known and (is_offered, offer.loyalty_price_minor)
    is distinct from (c.offer_since is not null, c.loyalty_price_minor) as is_new_offer,
  case when is_offer_known then is_offered else c.offer_since is not null end as is_on_promotion,
  case when is_offer_known then offer.loyalty_price_minor else c.loyalty_price_minor end as loyalty_price_minor,
  case when is_offer_known then offer.next_turn else c.next_turn end as next_turn
from touched
join catalog.product_current c using (product_key)
left join winner w using (product_key)
left join dated_offer due using (product_key)
left join availability_change a using (product_key)
left join offer using (product_key)
cross join lateral (
  select w.product_key is not null or due.product_key is not null as is_offer_known,
    coalesce(offer.is_on_promotion, false) as is_offered,
    -- A price shown while a product is not for sale is not an offer.
    w.is_for_sale is true and (w.price_minor, w.unit_price, w.unit_of_measure)
      is distinct from (c.price_minor, c.unit_price, c.unit_of_measure) as is_new_price
) as compared;

-- Contribution of these products to the content hash before the change.
update night
set hash_before = hash_before + (
  select coalesce(sum(catalog.product_hash(n.product_id, coalesce(former.title, n.title), n.price, n.currency,
    n.unit_price, n.unit_of_measure, n.loyalty_price, n.availability, n.on_promotion)), 0)
  from change
  join marts.product_now n using (product_key)
  left join former using (product_key)
  where n.availability in ('available', 'unavailable'));
