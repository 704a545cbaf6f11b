create view marts.fct_region_gap as
-- Subqueries instead of CTEs: the planner then computes taxes only for the rows that a limit leaves.
select
  snapshot_date,
  uk_product_id,
  uk_product_key,
  ie_product_id,
  ie_product_key,
  tier,
  score,
  uk_title,
  ie_title,
  uk_price,
  'GBP'::text as uk_currency,
  ie_price,
  'EUR'::text as ie_currency,
  rate::numeric(11, 10) as rate,
  rate_date,
  (ie_price * rate)::numeric(16, 4) as ie_price_gbp,
  (100 * (nullif(ie_price, 0) * rate / nullif(uk_price, 0) - 1))::numeric(16, 2) as gap_pct,
  uk_vat_pct::numeric(5, 3) as uk_vat_pct,
  ie_vat_pct::numeric(5, 3) as ie_vat_pct,
  (
    100 * (nullif(ie_price, 0) * rate / (1 + ie_vat_pct / 100) / nullif(uk_price / (1 + uk_vat_pct / 100), 0) - 1)
  )::numeric(16, 2) as gap_before_vat_pct,
  case
    when uk_at is null then 'no_uk_night'
    when ie_at is null then 'no_ie_night'
    when not is_uk_listed then 'not_listed_in_uk'
    when not is_ie_listed then 'not_listed_in_ie'
    when coalesce(uk_price, 0) = 0 then 'no_uk_price'
    when coalesce(ie_price, 0) = 0 then 'no_ie_price'
    when rate is null then 'no_rate'
  end as reason
from (
  -- Evaluated only for the rows requested: a department's rate, if all departments of the product have the same.
  select
    priced.*,
    (
      select case
        when count(*) = count(vat.rate_pct) and min(vat.rate_pct) = max(vat.rate_pct) then min(vat.rate_pct)
      end
      from marts.bridge_product_category bridge
      join marts.dim_category category on category.category_key = bridge.category_key
      left join ops.vat_rate vat on vat.region = 'uk' and vat.department = lower(trim(category.name))
      where bridge.product_key = priced.uk_product_key and bridge.depth = 0
        and bridge.valid_from <= priced.uk_at and (bridge.valid_to is null or bridge.valid_to > priced.uk_at)
    ) as uk_vat_pct,
    (
      select case
        when count(*) = count(vat.rate_pct) and min(vat.rate_pct) = max(vat.rate_pct) then min(vat.rate_pct)
      end
      from marts.bridge_product_category bridge
      join marts.dim_category category on category.category_key = bridge.category_key
      left join ops.vat_rate vat on vat.region = 'ie' and vat.department = lower(trim(category.name))
      where bridge.product_key = priced.ie_product_key and bridge.depth = 0
        and bridge.valid_from <= priced.ie_at and (bridge.valid_to is null or bridge.valid_to > priced.ie_at)
    ) as ie_vat_pct
  from (
    select
      night.snapshot_date,
      pair.uk_product_id,
      pair.uk_product_key,
      pair.ie_product_id,
      pair.ie_product_key,
      pair.tier,
      pair.score,
      pair.uk_title,
      pair.ie_title,
      (pair.uk_price_minor * 0.01)::numeric(12, 2) as uk_price,
      (pair.ie_price_minor * 0.01)::numeric(12, 2) as ie_price,
      night.rate,
      night.rate_date,
      night.uk_at,
      night.ie_at,
      pair.is_uk_listed,
      pair.is_ie_listed
    from (
      select
        coalesce(uk.snapshot_date, ie.snapshot_date) as snapshot_date,
        uk.observed_at as uk_at,
        ie.observed_at as ie_at,
        fx.rate,
        fx.on_date as rate_date,
        coalesce(
          uk.observed_at = (select max(observed_at) from ops.published_run where region = 'uk')
          and ie.observed_at = (select max(observed_at) from ops.published_run where region = 'ie'),
          false) as is_last_of_both
      from (select snapshot_date, observed_at from ops.certified_night where region = 'uk') as uk
      full join (select snapshot_date, observed_at from ops.certified_night where region = 'ie') as ie
        on ie.snapshot_date = uk.snapshot_date
      left join lateral (
        select rate, on_date
        from ops.fx_rate
        where base = 'EUR' and quote = 'GBP'
          and on_date between coalesce(uk.snapshot_date, ie.snapshot_date) - 7
            and coalesce(uk.snapshot_date, ie.snapshot_date)
        order by on_date desc
        limit 1
      ) as fx on true
    ) as night
    -- Planned night by night, like marts.product_night and for the same reasons.
    cross join lateral (
      -- The last night of both regions: without earlier versions.
      select
        match.uk_product_id,
        match.uk_product_key,
        match.ie_product_id,
        match.ie_product_key,
        match.tier,
        match.score,
        match.uk_title,
        match.ie_title,
        uk.is_listed as is_uk_listed,
        ie.is_listed as is_ie_listed,
        case when uk.is_listed then uk.price_minor end as uk_price_minor,
        case when ie.is_listed then ie.price_minor end as ie_price_minor
      from marts.region_match match
      join (
        select product_key, price_minor, availability in ('available', 'unavailable') as is_listed
        from catalog.product_current
      ) as uk on uk.product_key = match.uk_product_key
      join (
        select product_key, price_minor, availability in ('available', 'unavailable') as is_listed
        from catalog.product_current
      ) as ie on ie.product_key = match.ie_product_key
      where (select night.is_last_of_both) and (uk.is_listed or ie.is_listed)
      union all
      select
        match.uk_product_id,
        match.uk_product_key,
        match.ie_product_id,
        match.ie_product_key,
        match.tier,
        match.score,
        match.uk_title,
        match.ie_title,
        uk_listed.product_key is not null,
        ie_listed.product_key is not null,
        uk_price.price_minor,
        ie_price.price_minor
      from marts.region_match match
      -- For each history the last row that began by then: one look-up, however many rows precede it.
      left join lateral (
        select state.product_key, state.availability, state.valid_to
        from catalog.availability_spell state
        where state.product_key = match.uk_product_key and state.valid_from <= (select night.uk_at)
        order by state.valid_from desc
        limit 1
      ) as uk_listed
        on (uk_listed.valid_to is null or uk_listed.valid_to > (select night.uk_at))
        and uk_listed.availability in ('available', 'unavailable')
      left join lateral (
        select state.product_key, state.availability, state.valid_to
        from catalog.availability_spell state
        where state.product_key = match.ie_product_key and state.valid_from <= (select night.ie_at)
        order by state.valid_from desc
        limit 1
      ) as ie_listed
        on (ie_listed.valid_to is null or ie_listed.valid_to > (select night.ie_at))
        and ie_listed.availability in ('available', 'unavailable')
      left join lateral (
        select price.price_minor, price.valid_to
        from catalog.price_spell price
        where price.product_key = uk_listed.product_key and price.valid_from <= (select night.uk_at)
        order by price.valid_from desc
        limit 1
      ) as uk_price on uk_price.valid_to is null or uk_price.valid_to > (select night.uk_at)
      left join lateral (
        select price.price_minor, price.valid_to
        from catalog.price_spell price
        where price.product_key = ie_listed.product_key and price.valid_from <= (select night.ie_at)
        order by price.valid_from desc
        limit 1
      ) as ie_price on ie_price.valid_to is null or ie_price.valid_to > (select night.ie_at)
      where (select not night.is_last_of_both)
        and (uk_listed.product_key is not null or ie_listed.product_key is not null)
    ) as pair
  ) as priced
) as taxed;

select ops.describe('marts.fct_region_gap', $$
One row is a match on a date with a certified night of either region on which one of the two products was listed: both
  prices, the exchange rate, and the gap between them. Name products or nights. See docs/analyse/two-regions.md for the
  interpretation.
snapshot_date: Date of the night, the same calendar date in both regions.
tier: Tier of the match, as in region_match.
score: Score of the match, as in region_match.
uk_price: Ordinary British price that night, including tax, in uk_currency; null if there was none.
uk_currency: GBP.
ie_price: Ordinary Irish price that night, including tax, in ie_currency; null if there was none.
ie_currency: EUR.
rate: Pounds for one euro on the date, or on the last of the 7 days before it; null without one.
rate_date: Date of the rate.
ie_price_gbp: The Irish price in pounds at the rate.
gap_pct: Gap in percent: 100 * (ie_price * rate / uk_price - 1). Positive: the Irish price is higher at this rate,
  including taxes. Null if there is a reason.
uk_vat_pct: Value added tax in the British price, from vat_rate by department; null if unknown or different between its
  departments.
ie_vat_pct: Value added tax in the Irish price, from vat_rate by department; null if unknown or different between its
  departments.
gap_before_vat_pct: Gap between the prices before tax, in percent; null unless both taxes are known.
reason: Why there is no gap: no_uk_night, no_ie_night (no certified night of the region on this date), not_listed_in_uk,
  not_listed_in_ie, no_uk_price, no_ie_price, no_rate. Null if there is one.
$$);
