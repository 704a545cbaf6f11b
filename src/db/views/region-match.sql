create view marts.region_match as
select
  uk.product_id as uk_product_id,
  pair.uk_product_key,
  ie.product_id as ie_product_id,
  pair.ie_product_key,
  pair.tier,
  pair.score,
  case pair.tier when 1 then uk.gtin end as gtin,
  uk.title as uk_title,
  ie.title as ie_title,
  pair.since as matched_since
from derived.region_pair pair
-- Always exist; outer joins, so that they are read only if one of their columns is requested.
left join catalog.product uk on uk.product_key = pair.uk_product_key
left join catalog.product ie on ie.product_key = pair.ie_product_key
where pair.alarm is null;

comment on view marts.region_match is
  'One row is a British and an Irish product that are the same article, by their current versions; '
  'docs/analyse/two-regions.md has the rules. Join either side by product_key, or by region and product_id. '
  'A product has at most one match per night, but a relisted product can have had several over the years.';
comment on column marts.region_match.uk_product_id is 'The British product''s id; with region uk the key for joins.';
comment on column marts.region_match.uk_product_key is 'Joins dim_product and every fact: the British product.';
comment on column marts.region_match.ie_product_id is 'The Irish product''s id; with region ie the key for joins.';
comment on column marts.region_match.ie_product_key is 'Joins dim_product and every fact: the Irish product.';
comment on column marts.region_match.tier is
  'What is equal: 1 the barcode, 2 the base product number, 3 brand, name, net content and number of pieces.';
comment on column marts.region_match.score is
  'Share of attributes that agree, 0 to 1, among barcode, base product number, brand, name and net content as far as '
  'both sides state them.';
comment on column marts.region_match.gtin is 'The common barcode, in 14 digits; null in tiers 2 and 3.';
comment on column marts.region_match.uk_title is 'Current title of the British product.';
comment on column marts.region_match.ie_title is 'Current title of the Irish product.';
comment on column marts.region_match.matched_since is
  'Since when both products are unchanged: the later of their dim_product.current_since.';
