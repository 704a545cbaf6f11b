create view marts.watch as
select
  w.list,
  w.watch_id::text as watch_id,
  w.region,
  p.product_id,
  w.product_key,
  p.title,
  w.rule,
  w.amount,
  region.currency,
  w.created_at
from ops.watch w
join catalog.product p on p.product_key = w.product_key
join catalog.region region on region.region = w.region;

comment on view marts.watch is 'One row is a rule of a named list: people are told when it comes true (watch_event).';
comment on column marts.watch.list is 'Name of the list.';
comment on column marts.watch.watch_id is 'Names the rule.';
comment on column marts.watch.region is 'uk or ie.';
comment on column marts.watch.product_id is 'The upstream''s product id.';
comment on column marts.watch.product_key is 'Joins dim_product.';
comment on column marts.watch.title is 'Current title of the product.';
comment on column marts.watch.rule is 'below, lowest, back, shrank or discount, as in watch_events().';
comment on column marts.watch.amount is 'For below: the price, in currency; otherwise null.';
comment on column marts.watch.currency is 'ISO 4217 code of amount.';
comment on column marts.watch.created_at is 'When the rule was added. Nights published later are told.';
