create view marts.fct_store_spell as
select
  v.store_id,
  v.valid_from,
  v.valid_to,
  v.display_name,
  v.store_type,
  v.address1,
  v.address2,
  v.city,
  v.state,
  v.postal_code,
  v.country,
  v.latitude,
  v.longitude,
  v.phone,
  v.email,
  v.time_zone,
  v.is_curbside_enabled,
  v.is_bopisable,
  v.is_ropisable,
  v.is_concierge_curbside_enabled,
  v.is_no_show_fee_applicable,
  v.is_online_reservation_enabled,
  v.is_virtual,
  v.reservation_system,
  v.reservation_url,
  v.cross_street,
  v.mall_name,
  v.fax,
  v.closed_days,
  v.text_color,
  hours.curbside_hours
from (
  select store_id, valid_from, null::timestamptz as valid_to, display_name, store_type, address1, address2, city, state,
    postal_code, country, latitude, longitude, phone, email, time_zone, is_curbside_enabled, is_bopisable, is_ropisable,
    is_concierge_curbside_enabled, is_no_show_fee_applicable, is_online_reservation_enabled, is_virtual,
    reservation_system, reservation_url, cross_street, mall_name, fax, closed_days, text_color
  from catalog.store
  where gone_at is null
  union all
  select store_id, valid_from, valid_to, display_name, store_type, address1, address2, city, state, postal_code,
    country, latitude, longitude, phone, email, time_zone, is_curbside_enabled, is_bopisable, is_ropisable,
    is_concierge_curbside_enabled, is_no_show_fee_applicable, is_online_reservation_enabled, is_virtual,
    reservation_system, reservation_url, cross_street, mall_name, fax, closed_days, text_color
  from catalog.store_history
) as v
left join lateral (
  select string_agg(
    (array['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])[h.weekday] || ' ' || h.printed, '; ' order by h.weekday)
  from catalog.store_hours h
  where h.store_id = v.store_id and h.valid_from = v.valid_from
) as hours (curbside_hours) on true;

comment on view marts.fct_store_spell is
  'One row is a spell during which a store had the values of the row. For a store on a day, select the row whose '
  'spell contains the day; without one, the store did not exist.';
comment on column marts.fct_store_spell.store_id is 'Joins dim_store.';
comment on column marts.fct_store_spell.valid_from is 'Refresh that first saw these values.';
comment on column marts.fct_store_spell.valid_to is
  'Refresh that saw other values, or found it gone; null while they hold.';
comment on column marts.fct_store_spell.display_name is 'Display name.';
comment on column marts.fct_store_spell.store_type is 'The locator''s own term for the kind of shop.';
comment on column marts.fct_store_spell.address1 is 'First line of the address.';
comment on column marts.fct_store_spell.address2 is 'Second line of the address.';
comment on column marts.fct_store_spell.city is 'City or town.';
comment on column marts.fct_store_spell.state is 'State, county or province.';
comment on column marts.fct_store_spell.postal_code is 'Postal code.';
comment on column marts.fct_store_spell.country is 'Country as received.';
comment on column marts.fct_store_spell.latitude is 'Degrees north.';
comment on column marts.fct_store_spell.longitude is 'Degrees east.';
comment on column marts.fct_store_spell.phone is 'Telephone number as received.';
comment on column marts.fct_store_spell.email is
  'Contact as received: an email address or, for some stores, a postal address.';
comment on column marts.fct_store_spell.time_zone is 'Time zone of its hours, as received.';
comment on column marts.fct_store_spell.is_curbside_enabled is 'Whether orders can be collected at the kerb.';
comment on column marts.fct_store_spell.is_bopisable is
  'Whether online purchases can be picked up in the store, as received.';
comment on column marts.fct_store_spell.is_ropisable is
  'Whether online reservations can be picked up in the store, as received.';
comment on column marts.fct_store_spell.is_concierge_curbside_enabled is
  'Whether orders are brought to the car, as received.';
comment on column marts.fct_store_spell.is_no_show_fee_applicable is 'Whether an uncollected order costs a fee.';
comment on column marts.fct_store_spell.is_online_reservation_enabled is 'Whether a visit can be reserved online.';
comment on column marts.fct_store_spell.is_virtual is 'Whether it is a virtual store without premises, as received.';
comment on column marts.fct_store_spell.reservation_system is 'Name of the system that takes reservations.';
comment on column marts.fct_store_spell.reservation_url is 'Address for reservations.';
comment on column marts.fct_store_spell.cross_street is 'Cross street of the address.';
comment on column marts.fct_store_spell.mall_name is 'Shopping centre in which it is located.';
comment on column marts.fct_store_spell.fax is 'Fax number as received.';
comment on column marts.fct_store_spell.closed_days is 'Notice about days on which it is closed, as text.';
comment on column marts.fct_store_spell.text_color is 'Colour in which the locator prints the hours.';
comment on column marts.fct_store_spell.curbside_hours is
  'Collection hours as printed, Monday first, separated by "; "; null if none are given.';
