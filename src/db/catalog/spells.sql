-- Open and ended spells as one history each; valid_to is null for open ones.

create view catalog.price_spell as
select product_key, price_minor, valid_from, valid_to, unit_price, unit_of_measure
from catalog.price_history
union all
select product_key, price_minor, price_since, null, unit_price, unit_of_measure
from catalog.product_current;

create view catalog.availability_spell as
select product_key, availability, valid_from, valid_to
from catalog.availability_history
union all
select product_key, availability, availability_since, null
from catalog.product_current;

create view catalog.offer_spell as
select product_key, loyalty_price_minor, valid_from, valid_to
from catalog.offer_history
union all
select product_key, loyalty_price_minor, offer_since, null
from catalog.product_current
where offer_since is not null;

-- Spells of a product from the one at an instant until another instant, found by key without reading older ones. Pairs
-- are compared: for two bounds of time the planner chooses the index by time, of all products.

create function catalog.price_spells(key integer, since timestamptz, until timestamptz)
returns setof catalog.price_spell language sql stable as $$
  (select * from catalog.price_spell h
   where h.product_key = key and (h.product_key, h.valid_from) <= (key, since)
   order by h.product_key desc, h.valid_from desc limit 1)
  union all
  select * from catalog.price_spell h
  where h.product_key = key and (h.product_key, h.valid_from) > (key, since)
    and (h.product_key, h.valid_from) <= (key, until)
$$;

create function catalog.availability_spells(key integer, since timestamptz, until timestamptz)
returns setof catalog.availability_spell language sql stable as $$
  (select * from catalog.availability_spell h
   where h.product_key = key and (h.product_key, h.valid_from) <= (key, since)
   order by h.product_key desc, h.valid_from desc limit 1)
  union all
  select * from catalog.availability_spell h
  where h.product_key = key and (h.product_key, h.valid_from) > (key, since)
    and (h.product_key, h.valid_from) <= (key, until)
$$;

create function catalog.offer_spells(key integer, since timestamptz, until timestamptz)
returns setof catalog.offer_spell language sql stable as $$
  (select * from catalog.offer_spell h
   where h.product_key = key and (h.product_key, h.valid_from) <= (key, since)
   order by h.product_key desc, h.valid_from desc limit 1)
  union all
  select * from catalog.offer_spell h
  where h.product_key = key and (h.product_key, h.valid_from) > (key, since)
    and (h.product_key, h.valid_from) <= (key, until)
$$;
