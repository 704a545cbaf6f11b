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
-- Always there: said like this they are looked up only where a column of theirs is asked for.
left join catalog.product uk on uk.product_key = spell.uk_product_key
left join catalog.product ie on ie.product_key = spell.ie_product_key;

comment on view marts.fct_region_price_spell is 'One row is a match for as long as it had a price above zero in both regions and neither changed, on dates with a certified night of both: what fct_region_gap says a date at a time, a row a change. Those that hold on a date, dearest in Ireland first, are found in the order of ratio. Matches are those of now; what no longer is one has no rows.';
comment on column marts.fct_region_price_spell.uk_product_id is 'The British product''s id.';
comment on column marts.fct_region_price_spell.uk_product_key is 'Joins dim_product: the British product.';
comment on column marts.fct_region_price_spell.ie_product_id is 'The Irish product''s id.';
comment on column marts.fct_region_price_spell.ie_product_key is 'Joins dim_product: the Irish product.';
comment on column marts.fct_region_price_spell.uk_price is 'Ordinary British price, tax included, in uk_currency.';
comment on column marts.fct_region_price_spell.uk_currency is 'GBP.';
comment on column marts.fct_region_price_spell.ie_price is 'Ordinary Irish price, tax included, in ie_currency.';
comment on column marts.fct_region_price_spell.ie_currency is 'EUR.';
comment on column marts.fct_region_price_spell.ratio is 'ie_price / uk_price: euros for what a pound buys, as parity in fct_region_jevons.';
comment on column marts.fct_region_price_spell.valid_from is 'The first date with a certified night of both regions on which both prices were these.';
comment on column marts.fct_region_price_spell.valid_to is 'The first such date on which they no longer were; null: still so on the last.';
