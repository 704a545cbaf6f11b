create view marts.fct_out_of_stock_spell as
select
  region,
  product_id,
  product_key,
  valid_from,
  valid_to,
  valid_to - valid_from as days,
  change_seq,
  updated_at
from marts.fct_availability_spell
where availability = 'unavailable';

select ops.describe('marts.fct_out_of_stock_spell', $$
One row is a spell of nights during which a product was out of stock: listed, but not for sale. It ends when the product
  is for sale again or no longer listed.
days: Days from valid_from to valid_to; null while it lasts.
change_seq: Change key of the row: rises whenever the spell begins or ends or its nights are changed, in commit order.
  Rows with a greater key than those of a copy are new or have changed.
$$);
