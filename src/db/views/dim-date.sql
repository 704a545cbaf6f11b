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

comment on view marts.dim_date is 'One row is a calendar date from 2020-01-01 to 2040-12-31.';
comment on column marts.dim_date.date is 'The date; join it to any snapshot_date.';
comment on column marts.dim_date.date_key is 'The date as a number, 20260301.';
comment on column marts.dim_date.year is 'Calendar year.';
comment on column marts.dim_date.quarter is 'Quarter, 1 to 4.';
comment on column marts.dim_date.month is 'Month, 1 to 12.';
comment on column marts.dim_date.month_name is 'English name of the month.';
comment on column marts.dim_date.day_of_month is 'Day of the month, 1 to 31.';
comment on column marts.dim_date.iso_year is 'Year the ISO 8601 week belongs to; differs from year around New Year.';
comment on column marts.dim_date.iso_week is 'ISO 8601 week, 1 to 53.';
comment on column marts.dim_date.iso_weekday is 'ISO 8601 weekday: 1 Monday to 7 Sunday.';
comment on column marts.dim_date.weekday_name is 'English name of the weekday.';
comment on column marts.dim_date.is_weekend is 'True on Saturday and Sunday.';
comment on column marts.dim_date.week_starts_on is 'Monday of its ISO 8601 week.';
comment on column marts.dim_date.month_starts_on is 'First day of its month.';
