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

select ops.describe('marts.watch', $$
One row is a rule of a named list: people are told when it comes true (watch_event).
list: Name of the list.
watch_id: Names the rule.
rule: below, lowest, back, shrank or discount, as in watch_events().
amount: For below: the price, in currency; otherwise null.
currency: ISO 4217 code of amount.
created_at: When the rule was added. Nights published later are told.
$$);
