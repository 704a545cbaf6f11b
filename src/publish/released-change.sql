-- Releasing a partial run changes only availability.

create temporary table change on commit drop as
select c.product_key, false as is_new_price, c.price_minor, c.unit_price, c.unit_of_measure,
  true as is_new_availability, a.availability, false as is_new_offer, c.offer_since is not null as is_on_promotion,
  c.loyalty_price_minor, c.next_turn
from availability_change a
join catalog.product_current c using (product_key);
