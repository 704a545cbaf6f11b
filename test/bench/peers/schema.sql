create table if not exists product (
  product_id bigint primary key, tpnb text, gtin text, title text, brand text, image_url text, category_id text,
  price_minor int, unit_price numeric, unit_of_measure text, is_for_sale boolean, promotions jsonb, gone_on date);
create table if not exists product_history (
  product_id bigint, valid_from date, valid_to date, price_minor int, unit_price numeric, unit_of_measure text,
  is_for_sale boolean, promotions jsonb, primary key (product_id, valid_from));
create index if not exists product_history_open on product_history (product_id) where valid_to is null;
