create view marts.fct_region_jevons as
select
  sums.snapshot_date,
  nullif(sums.category_key, 0) as uk_category_key,
  department.name as department,
  sums.matched as matched_products,
  sums.left_out as left_out_products,
  exp(sums.log_sum::float8 / 1e12 / nullif(sums.matched, 0))::numeric(24, 10) as parity,
  fx.rate::numeric(11, 10) as rate,
  fx.on_date as rate_date,
  (100 * (exp(sums.log_sum::float8 / 1e12 / nullif(sums.matched, 0))::numeric * fx.rate - 1))::numeric(16, 2) as gap_pct
from derived.region_jevons sums
left join catalog.category department on department.category_key = sums.category_key
left join lateral (
  select rate, on_date
  from ops.fx_rate
  where base = 'EUR' and quote = 'GBP' and on_date between sums.snapshot_date - 7 and sums.snapshot_date
  order by on_date desc
  limit 1
) as fx on true
where sums.category_key = 0 or sums.matched + sums.left_out > 0;

select ops.describe('marts.fct_region_jevons', $$
One row is a date with a certified night of both regions, for all matches or those of one British department: the
  bilateral Jevons index of Irish against British prices, the geometric mean of the price ratios of all matches with
  both prices. Unweighted, because quantities are unknown.
snapshot_date: Date of the night, the same calendar date in both regions.
uk_category_key: Joins dim_category: the top-level category of the British products; null for all matches. A product in
  several categories counts in each.
department: Name of the department; null for all matches.
matched_products: Matches with both prices that date, without those left out.
left_out_products: Matches left out because the Irish price in euros was less than a tenth or more than ten times the
  British price in pounds.
parity: Geometric mean of the Irish price in euros over the British price in pounds, including taxes: the exchange rate,
  in euros per pound, at which both would cost the same. Independent of the actual rate.
rate: Pounds for one euro, as in fct_region_gap; null without one.
rate_date: Date of the rate.
gap_pct: Gap in percent: 100 * (parity * rate - 1). Positive: Irish prices are higher at this rate, including taxes.
  Null without a rate or a match.
$$);
