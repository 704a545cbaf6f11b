-- Contribution of one listed product to the content hash of its night, which is the sum over all listed products.
-- Surrogate keys and the notation of numbers do not count. 60 bits of md5 detect accidents, not manipulation.
create function catalog.product_hash(
  product_id text,
  title text,
  price numeric,
  currency text,
  unit_price numeric,
  unit_of_measure text,
  loyalty_price numeric,
  availability text,
  on_promotion boolean
)
returns bigint
language sql
stable
parallel safe
return ('x' || left(md5(concat_ws(e'\x1f', product_id, title, coalesce(price::text, '-'), currency,
  coalesce(trim_scale(unit_price)::text, '-'), coalesce(unit_of_measure, '-'), coalesce(loyalty_price::text, '-'),
  availability, on_promotion)), 15))::bit(60)::bigint;
