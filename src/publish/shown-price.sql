-- Prices of products not for sale, where they differ from the last at which they were.
insert into placeholder
select w.product_key, w.price_minor, w.unit_price, w.unit_of_measure
from winner w join catalog.product_current c using (product_key)
where not w.is_for_sale
  and (w.price_minor, w.unit_price, w.unit_of_measure)
    is distinct from (c.price_minor, c.unit_price, c.unit_of_measure);
update catalog.shown_price open
set valid_to = (select observed_at from night)
from winner w
where open.product_key = w.product_key and open.valid_to is null
  and not exists (
    select from placeholder s
    where s.product_key = open.product_key
      and (s.price_minor, s.unit_price, s.unit_of_measure)
        is not distinct from (open.price_minor, open.unit_price, open.unit_of_measure));
insert into catalog.shown_price (product_key, valid_from, price_minor, unit_price, unit_of_measure)
select product_key, (select observed_at from night), price_minor, unit_price, unit_of_measure
from placeholder s
where not exists (
  select from catalog.shown_price open where open.product_key = s.product_key and open.valid_to is null)
order by product_key;
