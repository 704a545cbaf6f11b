create view marts.fct_region_gap as
select
  snapshot_date,
  uk_product_id,
  uk_product_key,
  ie_product_id,
  ie_product_key,
  tier,
  match_label,
  precision_pct,
  matched_since,
  score,
  uk_title,
  ie_title,
  department.name as uk_department,
  uk_price,
  'GBP'::text as uk_currency,
  ie_price,
  'EUR'::text as ie_currency,
  rate::numeric(11, 10) as rate,
  rate_date,
  (ie_price * rate)::numeric(16, 4) as ie_price_gbp,
  (100 * (nullif(ie_price, 0) * rate / nullif(uk_price, 0) - 1))::numeric(16, 2) as gap_pct,
  case
    when uk_at is null then 'no_uk_night'
    when ie_at is null then 'no_ie_night'
    when uk_minor is null then 'not_listed_in_uk'
    when ie_minor is null then 'not_listed_in_ie'
    when coalesce(uk_price, 0) = 0 then 'no_uk_price'
    when coalesce(ie_price, 0) = 0 then 'no_ie_price'
    when rate is null then 'no_rate'
  end as reason
from (
  select
    snapshot_date,
    uk.observed_at as uk_at,
    ie.observed_at as ie_at,
    exists (select from derived.pair_price kept where kept.snapshot_date = uk.snapshot_date) and (
      select count(*) from derived.night done where done.snapshot_date = uk.snapshot_date
        and (done.region, done.run_id) in (('uk', uk.run_id), ('ie', ie.run_id))) = 2 as is_kept,
    fx.rate,
    fx.on_date as rate_date
  from (select * from ops.certified_night where region = 'uk') as uk
  full join (select * from ops.certified_night where region = 'ie') as ie using (snapshot_date)
  left join lateral (
    select rate, on_date
    from ops.fx_rate
    where base = 'EUR' and quote = 'GBP' and on_date between snapshot_date - 7 and snapshot_date
    order by on_date desc limit 1
  ) as fx on true
) as night
-- Planned night by night, like marts.product_night and for the same reasons. On nights of which no prices are kept, or
-- those of a former run, states are looked up: the latest is the first that the index finds backwards. Null: not
-- listed; -1: without a price.
cross join lateral (
  select match.*, kept.uk_leaf_key, kept.uk_minor, kept.ie_minor
  from derived.pair_price kept
  join marts.region_match match using (uk_product_key, ie_product_key)
  where night.is_kept and kept.snapshot_date = night.snapshot_date
  union all
  select match.*, state.*
  from marts.region_match match
  cross join lateral (
    select max(c.leaf_key) filter (where c.region = 'uk'), max(price.minor) filter (where c.region = 'uk') as uk_minor,
      max(price.minor) filter (where c.region = 'ie') as ie_minor
    from (values (match.uk_product_key, night.uk_at), (match.ie_product_key, night.ie_at)) as side (product_key, seen)
    join catalog.product_current c on c.product_key = side.product_key
    cross join lateral (
      select coalesce(case when c.price_since <= seen then c.price_minor else (
        select price_minor from catalog.price_history price
        where price.product_key = c.product_key and valid_from <= seen and valid_to > seen
        order by valid_from desc limit 1) end, -1) as minor offset 0
    ) as price
    where case when c.availability_since <= seen then c.availability else (
      select availability from catalog.availability_history state
      where state.product_key = c.product_key and valid_from <= seen and valid_to > seen
      order by valid_from desc limit 1) end in ('available', 'unavailable')
  ) as state
  where (uk_minor is not null or ie_minor is not null) and not night.is_kept
) as pair
cross join lateral (
  select (nullif(pair.uk_minor, -1) * 0.01)::numeric(12, 2) as uk_price,
    (nullif(pair.ie_minor, -1) * 0.01)::numeric(12, 2) as ie_price
) as price
left join catalog.category leaf on leaf.category_key = pair.uk_leaf_key
left join catalog.category department on department.category_key = leaf.ancestors[1];

select ops.describe('marts.fct_region_gap', $$
One row is a match on a date with a certified night of either region on which one of the two products was listed: both
  prices, the exchange rate, and the gap between them. Name products or nights. See docs/analyse/two-regions.md for the
  interpretation.
uk_department: Department of the British product now, or on the last derived night.
uk_price: Ordinary British price that night, including tax, in uk_currency; null if there was none.
uk_currency: GBP.
ie_price: Ordinary Irish price that night, including tax, in ie_currency; null if there was none.
ie_currency: EUR.
rate: Pounds for one euro on the date, or on the last of the 7 days before it; null without one.
rate_date: Date of the rate.
ie_price_gbp: The Irish price in pounds at the rate.
gap_pct: Gap in percent: 100 * (ie_price * rate / uk_price - 1). Positive: the Irish price is higher at this rate,
  including taxes. Null if there is a reason.
reason: Why there is no gap: no_uk_night, no_ie_night (no certified night of the region on this date), not_listed_in_uk,
  not_listed_in_ie, no_uk_price, no_ie_price, no_rate. Null if there is one.
$$, 'marts.region_match');
