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
