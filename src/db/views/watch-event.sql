create view marts.watch_event as
select
  message.list,
  event.watch_id,
  message.region,
  message.snapshot_date,
  event.product_id,
  event.title,
  event.rule,
  event.amount,
  event.event,
  event.price,
  event.currency,
  message.created_at,
  message.sent_at
from ops.watch_message message
cross join lateral jsonb_to_recordset(message.events) as event (
  watch_id text, product_id text, title text, rule text, amount numeric(12, 2), event text,
  price numeric(12, 2), currency text);

select ops.describe('marts.watch_event', $$
One row is a rule of a list that came true on a night, as it was told: later changes of the night change nothing.
list: Name of the list.
watch_id: The rule; it may have been removed from watch.
snapshot_date: Certified night on which the rule came true.
title: Title of the product when the night was told.
rule: As in watch.
amount: As in watch.
event: What happened, in a sentence.
price: Lowest price of the night, for everybody or for members, in currency; null if the product was not for sale.
created_at: When the events of the night were collected.
sent_at: When the receiver accepted the message with the events of the list and night; null: not yet, or not configured.
$$);
