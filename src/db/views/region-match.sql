create view marts.region_match as
select
  uk.product_id as uk_product_id,
  pair.uk_product_key,
  ie.product_id as ie_product_id,
  pair.ie_product_key,
  pair.tier,
  (array['same barcode', 'same base number', 'likely, by name'])[pair.tier] as match_label,
  (array[99.79, 99.21, 95.64])[pair.tier]::numeric(5, 2) as precision_pct,
  pair.score,
  case pair.tier when 1 then uk.gtin end as gtin,
  uk.title as uk_title,
  ie.title as ie_title,
  pair.since as matched_since
from derived.region_pair pair
-- Always exist; outer joins, so that they are read only if one of their columns is requested.
left join catalog.product uk on uk.product_key = pair.uk_product_key
left join catalog.product ie on ie.product_key = pair.ie_product_key;

select ops.describe('marts.region_match', $$
One row is a British and an Irish product that are the same article, by their current versions;
  docs/analyse/two-regions.md has the rules. Join either side by product_key, or by region and product_id. A product has
  at most one match per night, but a relisted product can have had several over the years.
uk_title: Current title of the British product.
ie_title: Current title of the Irish product.
uk_product_id: The British product's id.
uk_product_key: Joins dim_product: the British product.
ie_product_id: The Irish product's id.
ie_product_key: Joins dim_product: the Irish product.
tier: What is equal: 1 the barcode, 2 the base product number, 3 brand, name, net content and number of pieces.
match_label: The tier in words: tiers 1 and 2 are sure, tier 3 is likely.
precision_pct: At least so many percent of such matches are right in a simulated book; see docs/analyse/accuracy.md.
score: Share of attributes that agree, 0 to 1, among barcode, base product number, brand, name and net content as far as
  both sides state them.
gtin: The common barcode, in 14 digits; null in tiers 2 and 3.
matched_since: The later dim_product.current_since of both; on nights before the match may have been another.
$$);
