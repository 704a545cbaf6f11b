-- Moves the spells that `change` ends to their histories, and starts the new ones.

insert into catalog.price_history (product_key, price_minor, valid_from, valid_to, unit_price, unit_of_measure)
select c.product_key, c.price_minor, c.price_since, (select observed_at from night), c.unit_price, c.unit_of_measure
from change
join catalog.product_current c using (product_key)
where change.is_new_price
order by c.product_key;

insert into catalog.availability_history (product_key, availability, valid_from, valid_to)
select c.product_key, c.availability, c.availability_since, (select observed_at from night)
from change
join catalog.product_current c using (product_key)
where change.is_new_availability
order by c.product_key;

insert into catalog.offer_history (product_key, loyalty_price_minor, valid_from, valid_to)
select c.product_key, c.loyalty_price_minor, c.offer_since, (select observed_at from night)
from change
join catalog.product_current c using (product_key)
where change.is_new_offer and c.offer_since is not null
order by c.product_key;

update catalog.product_current c
set price_minor = now.price_minor, unit_price = now.unit_price, unit_of_measure = now.unit_of_measure,
  price_since = case when now.is_new_price then (select observed_at from night) else c.price_since end,
  availability = now.availability,
  availability_since = case
    when now.is_new_availability then (select observed_at from night)
    else c.availability_since
  end,
  loyalty_price_minor = now.loyalty_price_minor, next_turn = now.next_turn,
  offer_since = case
    when not now.is_on_promotion then null
    when now.is_new_offer then (select observed_at from night)
    else c.offer_since
  end
from change now
where c.product_key = now.product_key
  and (now.is_new_price or now.is_new_availability or now.is_new_offer or now.next_turn is distinct from c.next_turn);
