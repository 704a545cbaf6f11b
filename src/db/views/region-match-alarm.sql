create view marts.region_match_alarm as
select
  uk.product_id as uk_product_id,
  uk.product_key as uk_product_key,
  ie.product_id as ie_product_id,
  ie.product_key as ie_product_key,
  case pair.tier when 1 then 'gtin' else 'tpnb' end as equal_code,
  case pair.tier when 1 then uk.gtin else uk.tpnb end as code,
  pair.uk_content::numeric(22, 3) as uk_content,
  pair.ie_content::numeric(22, 3) as ie_content,
  pair.measure,
  uk.title as uk_title,
  ie.title as ie_title
from derived.region_pair pair
join catalog.product uk on uk.product_key = pair.uk_product_key
join catalog.product ie on ie.product_key = pair.ie_product_key
where pair.alarm is not null;

select ops.describe('marts.region_match_alarm', $$
One row is a British and an Irish product with the same code but different sizes: a code identifies one net content, so
  one of the records is wrong. They do not match in any tier.
equal_code: Which code is equal: gtin or tpnb.
code: The code.
uk_content: Net content of the whole British pack according to its title, in measure.
ie_content: Net content of the whole Irish pack according to its title, in measure.
measure: Measure of both contents: g, ml or each.
$$);
