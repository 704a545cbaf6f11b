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
  case
    when upper(s.country) in ('GB', 'UK', 'GBR', 'UNITED KINGDOM', 'GREAT BRITAIN') then 'uk'
    when upper(s.country) in ('IE', 'IRL', 'IRELAND') then 'ie'
    when s.time_zone = 'Europe/London' then 'uk'
    when s.time_zone = 'Europe/Dublin' then 'ie'
  end as region,
  s.latitude,
  s.longitude,
  s.phone,
  s.email,
  s.time_zone,
  s.is_curbside_enabled,
  hours.curbside_hours,
  s.is_bopisable,
  s.is_ropisable,
  s.is_concierge_curbside_enabled,
  s.is_no_show_fee_applicable,
  s.is_online_reservation_enabled,
  s.is_virtual,
  s.reservation_system,
  s.reservation_url,
  s.cross_street,
  s.mall_name,
  s.fax,
  s.closed_days,
  s.text_color,
  s.first_seen_at,
  s.valid_from as current_since,
  s.gone_at
from catalog.store s
left join lateral (
  select string_agg(
    (array['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])[h.weekday] || ' ' || h.printed, '; ' order by h.weekday)
  from catalog.store_hours h
  where h.store_id = s.store_id and h.valid_from = s.valid_from
) as hours (curbside_hours) on true;

comment on view marts.dim_store is
  'One row is a physical shop from the store locator, as last seen; closed stores stay, with gone_at.';
comment on column marts.dim_store.store_id is 'The locator''s id, the natural key; there is no surrogate key.';
comment on column marts.dim_store.display_name is 'Display name.';
comment on column marts.dim_store.store_type is 'The locator''s own term for the kind of shop.';
comment on column marts.dim_store.address1 is 'First line of the address.';
comment on column marts.dim_store.address2 is 'Second line of the address.';
comment on column marts.dim_store.city is 'City or town.';
comment on column marts.dim_store.state is 'State, county or province.';
comment on column marts.dim_store.postal_code is 'Postal code.';
comment on column marts.dim_store.country is 'Country as received.';
comment on column marts.dim_store.region is
  'uk or ie, by its country, otherwise by its time zone; null: neither says. Joins the region of nights.';
comment on column marts.dim_store.latitude is 'Degrees north.';
comment on column marts.dim_store.longitude is 'Degrees east.';
comment on column marts.dim_store.phone is 'Telephone number as received.';
comment on column marts.dim_store.email is
  'Contact as received: an email address or, for some stores, a postal address.';
comment on column marts.dim_store.time_zone is 'Time zone of its hours, as received.';
comment on column marts.dim_store.is_curbside_enabled is 'Whether orders can be collected at the kerb.';
comment on column marts.dim_store.curbside_hours is
  'Collection hours as printed, Monday first, separated by "; "; null if none are given.';
comment on column marts.dim_store.is_bopisable is
  'Whether online purchases can be picked up in the store, as received.';
comment on column marts.dim_store.is_ropisable is
  'Whether online reservations can be picked up in the store, as received.';
comment on column marts.dim_store.is_concierge_curbside_enabled is
  'Whether orders are brought to the car, as received.';
comment on column marts.dim_store.is_no_show_fee_applicable is 'Whether an uncollected order costs a fee.';
comment on column marts.dim_store.is_online_reservation_enabled is 'Whether a visit can be reserved online.';
comment on column marts.dim_store.is_virtual is 'Whether it is a virtual store without premises, as received.';
comment on column marts.dim_store.reservation_system is 'Name of the system that takes reservations.';
comment on column marts.dim_store.reservation_url is 'Address for reservations.';
comment on column marts.dim_store.cross_street is 'Cross street of the address.';
comment on column marts.dim_store.mall_name is 'Shopping centre in which it is located.';
comment on column marts.dim_store.fax is 'Fax number as received.';
comment on column marts.dim_store.closed_days is 'Notice about days on which it is closed, as text.';
comment on column marts.dim_store.text_color is 'Colour in which the locator prints the hours.';
comment on column marts.dim_store.first_seen_at is 'When it was first seen.';
comment on column marts.dim_store.current_since is 'Since when the values of the row are unchanged.';
comment on column marts.dim_store.gone_at is 'Refresh that found it gone; null while it exists.';
