-- A weighted index by COICOP class and in total, from the monthly indices of categories. Run in this folder:
--     psql DATABASE_URL -v region=uk -v weights_at=2026-01-01 -f weighted-index.sql
-- weights_at is the month at whose prices the weights are: a Lowe index. Without it they are at those of the first
-- month: a Young index. Replace coicop.csv and weights.csv by your own.
\set ON_ERROR_STOP on
\if :{?weights_at}
\else
  \set weights_at ''
\endif
\set coicop `cat coicop.csv`
\set weights `cat weights.csv`

-- A class is the geometric mean of its categories. A category counts if its series has a value in every month.
with coicop as (
  select part[1] as coicop, part[2] as category_path
  from regexp_split_to_table(:'coicop', '\r?\n') as line, regexp_match(line, '^([0-9.]+),"?(.*?)"?$') as part
), weights as (
  select part[1] as coicop, part[2]::numeric as weight, part[3] as name
  from regexp_split_to_table(:'weights', '\r?\n') as line, regexp_match(line, '^([0-9.]+),([0-9.]+),"?(.*?)"?$') as part
), category as (
  select trim(category_path) as category_path, period_start, value,
    count(value) over (partition by category_key, base_start) as months
  from marts.price_index
  where region = :'region' and period = 'month' and method = 'geks_jevons' and price_basis = 'shelf_adjusted'
), class as (
  select period_start, coicop, exp(avg(ln(value))) as value, count(*) as categories
  from category join coicop using (category_path)
  where months = (select count(distinct period_start) from category)
  group by period_start, coicop
), weighted as (
  -- The weight at prices of the first month, in which every index is 100.
  select class.*, weights.name, weights.weight * 100 / at_prices.value as weight
  from class
  join weights using (coicop)
  join class at_prices using (coicop)
  where at_prices.period_start = coalesce(nullif(:'weights_at', '')::date, (select min(period_start) from class))
)
select period_start, coalesce(coicop, 'total') as coicop, case when grouping(coicop) = 0 then min(name) end as name,
  sum(categories) as categories, round(sum(weight), 2) as weight, round(sum(weight * value) / sum(weight), 2) as index
from weighted
group by grouping sets ((period_start, coicop), (period_start))
order by period_start, weighted.coicop nulls first;
