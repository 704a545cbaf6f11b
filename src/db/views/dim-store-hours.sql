create view marts.dim_store_hours as
select
  s.store_id,
  h.weekday,
  (array['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])[h.weekday] as weekday_name,
  time '00:00' + h.opens_minute % 1440 * interval '1 minute' as opens,
  time '00:00' + h.closes_minute % 1440 * interval '1 minute' as closes,
  h.closes_minute > 1440 as closes_next_day,
  h.closes_minute - h.opens_minute as minutes_open,
  case when h.opens_minute is not null then false when h.printed ~* '^\s*(closed|shut)\M' then true end as is_closed,
  s.time_zone,
  h.printed
from catalog.store s
join catalog.store_hours h on h.store_id = s.store_id and h.valid_from = s.valid_from
where s.gone_at is null;

select ops.describe('marts.dim_store_hours', $$
One row is a weekday of a store that is there: when orders can be collected, in the store's own time zone.
store_id: Joins dim_store.
weekday: 1 Monday to 7 Sunday (ISO 8601); joins dim_date.iso_weekday.
weekday_name: The same in English.
opens: Local time; null when it is closed that day or the text could not be read.
closes: Local time; 00:00 is midnight at the end of the day.
closes_next_day: Whether it closes after midnight.
minutes_open: How long it is open; null when it is closed that day or the text could not be read.
is_closed: Whether it is closed all day; null if the text could not be parsed.
time_zone: Time zone of opens and closes, as received.
printed: The hours as received.
$$);
