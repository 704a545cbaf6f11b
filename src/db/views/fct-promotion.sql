create view marts.fct_promotion as
select
  p.region,
  p.product_id,
  p.product_key,
  promotion.description,
  promotion.offer_type,
  promotion.kind,
  (promotion.loyalty_price_minor * 0.01)::numeric(12, 2) as loyalty_price,
  region.currency,
  promotion.starts_at,
  promotion.ends_at,
  carried.valid_from as seen_from,
  carried.valid_to as seen_to
from catalog.product_promotion carried
join catalog.promotion promotion on promotion.promotion_key = carried.promotion_key
join catalog.product p on p.product_key = carried.product_key
join catalog.region region on region.region = p.region;

comment on view marts.fct_promotion is 'One row is a spell during which a product carried a promotion.';
comment on column marts.fct_promotion.region is 'uk or ie.';
comment on column marts.fct_promotion.product_id is 'The upstream''s product id.';
comment on column marts.fct_promotion.product_key is 'Joins dim_product.';
comment on column marts.fct_promotion.description is 'The promotion''s text as received.';
comment on column marts.fct_promotion.offer_type is 'The upstream''s own word, such as CLUBCARD_PRICING; null when not given.';
comment on column marts.fct_promotion.kind is 'What the text means; unknown when in doubt.';
comment on column marts.fct_promotion.loyalty_price is 'Price of one product for loyalty members, in currency; null unless the text states it without doubt.';
comment on column marts.fct_promotion.currency is 'ISO 4217 code of the amounts in the row.';
comment on column marts.fct_promotion.starts_at is 'When the supermarket says it begins; null when it does not say.';
comment on column marts.fct_promotion.ends_at is 'When the supermarket says it ends, exclusive; null when it does not say.';
comment on column marts.fct_promotion.seen_from is 'When a run first saw it on the product.';
comment on column marts.fct_promotion.seen_to is 'When a run first missed it on the product; null while it is there.';
