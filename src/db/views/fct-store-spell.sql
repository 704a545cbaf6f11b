create view marts.fct_store_spell as
select
  v.*,
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

select ops.describe('marts.fct_store_spell', $$
One row is a spell during which a store had the values of the row. For a store on a day, select the row whose spell
  contains the day; without one, the store did not exist.
store_id: Joins dim_store.
valid_from: Refresh that first saw these values.
valid_to: Refresh that saw other values, or found it gone; null while they hold.
$$, 'marts.dim_store');
