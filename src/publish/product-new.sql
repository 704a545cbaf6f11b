-- Products that are new to the catalogue.

insert into catalog.product_current (product_key, price_minor, loyalty_price_minor, availability, price_since,
  availability_since, offer_since, next_turn, unit_price, unit_of_measure)
select w.product_key, case when w.is_for_sale then w.price_minor end, offer.loyalty_price_minor,
  case when w.is_for_sale then 'available' else 'unavailable' end::catalog.availability,
  (select observed_at from night), (select observed_at from night),
  case when offer.is_on_promotion then (select observed_at from night) end, offer.next_turn,
  case when w.is_for_sale then w.unit_price end, case when w.is_for_sale then w.unit_of_measure end
from winner w
left join offer using (product_key)
where w.is_new
order by w.product_key;
