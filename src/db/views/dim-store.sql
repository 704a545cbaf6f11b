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
  s.curbside_hours,
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
from catalog.store s;

select ops.describe('marts.dim_store', $$
One row is a physical shop from the store locator, as last seen; closed stores stay, with gone_at.
store_id: The locator's id, the natural key; there is no surrogate key.
display_name: Display name.
store_type: The locator's own term for the kind of shop.
address1: First line of the address.
address2: Second line of the address.
city: City or town.
state: State, county or province.
postal_code: Postal code.
country: Country as received.
region: uk or ie, by its country, otherwise by its time zone; null: neither says. Joins the region of nights.
latitude: Degrees north.
longitude: Degrees east.
phone: Telephone number as received.
email: Contact as received: an email address or, for some stores, a postal address.
time_zone: Time zone of its hours, as received.
is_curbside_enabled: Whether orders can be collected at the kerb.
curbside_hours: Collection hours as printed, Monday first, separated by "; "; null if none are given.
is_bopisable: Whether online purchases can be picked up in the store, as received.
is_ropisable: Whether online reservations can be picked up in the store, as received.
is_concierge_curbside_enabled: Whether orders are brought to the car, as received.
is_no_show_fee_applicable: Whether an uncollected order costs a fee.
is_online_reservation_enabled: Whether a visit can be reserved online.
is_virtual: Whether it is a virtual store without premises, as received.
reservation_system: Name of the system that takes reservations.
reservation_url: Address for reservations.
cross_street: Cross street of the address.
mall_name: Shopping centre in which it is located.
fax: Fax number as received.
closed_days: Notice about days on which it is closed, as text.
text_color: Colour in which the locator prints the hours.
first_seen_at: When it was first seen.
current_since: Since when the values of the row are unchanged.
gone_at: Refresh that found it gone; null while it exists.
$$);
