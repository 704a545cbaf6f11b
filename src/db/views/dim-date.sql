create view marts.dim_date as
select
  day::date as date,
  to_char(day, 'YYYYMMDD')::integer as date_key,
  extract(year from day)::integer as year,
  extract(quarter from day)::integer as quarter,
  extract(month from day)::integer as month,
  to_char(day, 'FMMonth') as month_name,
  extract(day from day)::integer as day_of_month,
  extract(isoyear from day)::integer as iso_year,
  extract(week from day)::integer as iso_week,
  extract(isodow from day)::integer as iso_weekday,
  to_char(day, 'FMDay') as weekday_name,
  extract(isodow from day) >= 6 as is_weekend,
  date_trunc('week', day)::date as week_starts_on,
  date_trunc('month', day)::date as month_starts_on
-- Without a time zone, so that a day does not depend on the reader's session.
from generate_series(timestamp '2020-01-01', timestamp '2040-12-31', interval '1 day') as day;

select ops.describe('marts.dim_date', $$
One row is a calendar date from 2020-01-01 to 2040-12-31.
date: The date; join it to any snapshot_date.
date_key: The date as a number, 20260301.
year: Calendar year.
quarter: Quarter, 1 to 4.
month: Month, 1 to 12.
month_name: English name of the month.
day_of_month: Day of the month, 1 to 31.
iso_year: Year the ISO 8601 week belongs to; differs from year around New Year.
iso_week: ISO 8601 week, 1 to 53.
iso_weekday: ISO 8601 weekday: 1 Monday to 7 Sunday.
weekday_name: English name of the weekday.
is_weekend: True on Saturday and Sunday.
week_starts_on: Monday of its ISO 8601 week.
month_starts_on: First day of its month.
$$);
