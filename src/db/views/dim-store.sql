create view marts.dim_store as
select
  s.store_id,
  s.display_name,
  s.store_type,
  s.address1,
  s.address2,
  s.city,
  s.state,
  s.postal_code,
  s.country,
  s.latitude,
  s.longitude,
  s.phone,
  s.email,
  s.time_zone,
  s.is_curbside_enabled,
  hours.curbside_hours,
  s.first_seen_at
from catalog.store s
left join lateral (
  select string_agg((array['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])[h.weekday] || ' ' || h.printed, '; ' order by h.weekday)
  from catalog.store_hours h
  where h.store_id = s.store_id
) as hours (curbside_hours) on true;

comment on view marts.dim_store is 'One row is a physical shop from the store locator.';
comment on column marts.dim_store.store_id is 'The locator''s id; natural key, there is no surrogate one.';
comment on column marts.dim_store.display_name is 'Name for people.';
comment on column marts.dim_store.store_type is 'The locator''s own word for the kind of shop.';
comment on column marts.dim_store.address1 is 'First line of the address.';
comment on column marts.dim_store.address2 is 'Second line of the address.';
comment on column marts.dim_store.city is 'City or town.';
comment on column marts.dim_store.state is 'State, county or province.';
comment on column marts.dim_store.postal_code is 'Postal code.';
comment on column marts.dim_store.country is 'Country as received.';
comment on column marts.dim_store.latitude is 'Degrees north.';
comment on column marts.dim_store.longitude is 'Degrees east.';
comment on column marts.dim_store.phone is 'Telephone number as received.';
comment on column marts.dim_store.email is 'Mail address as received.';
comment on column marts.dim_store.time_zone is 'Time zone of its hours, as received.';
comment on column marts.dim_store.is_curbside_enabled is 'Whether orders can be collected at the kerb.';
comment on column marts.dim_store.curbside_hours is 'Collection hours as printed, Monday first, separated by "; "; null when none are given.';
comment on column marts.dim_store.first_seen_at is 'When it was first seen.';
