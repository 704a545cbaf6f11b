create view marts.index_contribution as
select
  part.region,
  nullif(part.category_key, 0) as category_key,
  department.name as department,
  part.period,
  part.period_start,
  (100 * part.log)::numeric(24, 10) as log_points
from derived.index_part part
left join catalog.category department on department.category_key = part.category_key;

select ops.describe('marts.index_contribution', $$
One row is what a home department has added to its region's price_index (geks_jevons, shelf_adjusted) from the base
  period to a period. A product counts in the home that it has in the later of two periods compared. The rows of a
  period add up exactly to 100 * ln(value / 100) of the region.
period: day, week or month.
period_start: Its first day.
category_key: Joins dim_category; null: products whose home is unknown.
department: Name of the department.
log_points: 100 times a logarithm. What a department adds between two periods is the difference; times (r - 1) / ln(r),
  with r the ratio of the region's values, that is in percentage points.
$$);
