-- Prices shown for products that are not for sale, if they differ from the last price at which they were. Others matter
-- only if such a price is open.

with shown as materialized (
  select w.product_key, w.price_minor, w.unit_price, w.unit_of_measure,
    not w.is_for_sale and (w.price_minor, w.unit_price, w.unit_of_measure)
      is distinct from (c.price_minor, c.unit_price, c.unit_of_measure) as is_kept
  from winner w
  join catalog.product_current c using (product_key)
  where not w.is_for_sale or w.product_key in (select product_key from catalog.shown_price where valid_to is null)
),
ended as (
  update catalog.shown_price open
  set valid_to = (select observed_at from night)
  from shown
  where open.product_key = shown.product_key and open.valid_to is null
    and not (shown.is_kept and (open.price_minor, open.unit_price, open.unit_of_measure)
      is not distinct from (shown.price_minor, shown.unit_price, shown.unit_of_measure))
  returning open.product_key
)
insert into catalog.shown_price (product_key, valid_from, price_minor, unit_price, unit_of_measure)
select shown.product_key, (select observed_at from night), shown.price_minor, shown.unit_price, shown.unit_of_measure
from shown
where shown.is_kept
  and not exists (
    select from catalog.shown_price open
    where open.product_key = shown.product_key and open.valid_to is null
      and open.product_key not in (select product_key from ended))
order by shown.product_key;
