create view marts.fct_region_price_spell as
select
  uk.product_id as uk_product_id,
  spell.uk_product_key,
  ie.product_id as ie_product_id,
  spell.ie_product_key,
  (spell.uk_price_minor * 0.01)::numeric(12, 2) as uk_price,
  'GBP'::text as uk_currency,
  (spell.ie_price_minor * 0.01)::numeric(12, 2) as ie_price,
  'EUR'::text as ie_currency,
  spell.ratio,
  spell.valid_from,
  spell.valid_to
from derived.region_price_spell spell
-- Always exist; outer joins, so that they are read only if one of their columns is requested.
left join catalog.product uk on uk.product_key = spell.uk_product_key
left join catalog.product ie on ie.product_key = spell.ie_product_key;

select ops.describe('marts.fct_region_price_spell', $$
One row is a match while it had a price above zero in both regions and neither changed, on dates with a certified night
  of both: the prices of fct_region_gap with one row per change instead of one per date. Ordered by ratio through an
  index, to list the matches of a date that are most expensive in Ireland. Only current matches are included.
uk_price: Ordinary British price, including tax, in uk_currency.
uk_currency: GBP.
ie_price: Ordinary Irish price, including tax, in ie_currency.
ie_currency: EUR.
ratio: ie_price / uk_price: euros per pound, like parity in fct_region_jevons.
valid_from: First date with a certified night of both regions on which both prices were these.
valid_to: First such date with another price; null if they still hold on the last one.
$$);
