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
  watch_id text, product_id text, title text, rule text, amount numeric, event text, price numeric, currency text);

comment on view marts.watch_event is
  'One row is a rule of a list that came true on a night, as it was told: later changes of the night change nothing.';
comment on column marts.watch_event.list is 'Name of the list.';
comment on column marts.watch_event.watch_id is 'The rule; it may have been removed from watch.';
comment on column marts.watch_event.region is 'uk or ie.';
comment on column marts.watch_event.snapshot_date is 'Certified night on which the rule came true.';
comment on column marts.watch_event.product_id is 'The upstream''s product id.';
comment on column marts.watch_event.title is 'Title of the product when the night was told.';
comment on column marts.watch_event.rule is 'As in watch.';
comment on column marts.watch_event.amount is 'As in watch.';
comment on column marts.watch_event.event is 'What happened, in a sentence.';
comment on column marts.watch_event.price is
  'Lowest price of the night, for everybody or for members, in currency; null if the product was not for sale.';
comment on column marts.watch_event.currency is 'ISO 4217 code of the amounts in the row.';
comment on column marts.watch_event.created_at is 'When the events of the night were collected.';
comment on column marts.watch_event.sent_at is
  'When the receiver accepted the message with the events of the list and night; null: not yet, or not configured.';
