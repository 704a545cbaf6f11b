-- Key of a product that is new to the catalogue. A replay replaces this function in its shadow (kept-keys.ts).
create function catalog.next_product_key(region text, product_id text) returns int
language sql
as $$
  select nextval('catalog.product_product_key_seq')::int
$$;

revoke execute on function catalog.next_product_key(text, text) from public;
