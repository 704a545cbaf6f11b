-- Written as one SQL select with the caller's rights and settings, so that it is inlined and filters on it reach the
-- tables. It reads only marts; names are resolved on creation, not when it is called.
create function marts.as_of(region text, on_date date)
returns setof marts.fct_price_daily
language sql
stable
parallel safe
begin atomic
  select night.*
  from marts.product_night night
  where night.run_id = (
    select s.run_id
    from marts.snapshot s
    where s.region = (select ops.known_region(as_of.region)) and s.snapshot_date <= as_of.on_date
    order by s.snapshot_date desc
    limit 1);
end;

revoke execute on function marts.as_of(text, date) from public;

comment on function marts.as_of(text, date) is
  'The catalogue of a region after the night of a date: one row is a listed product, with the columns of '
  'fct_price_daily. The night is the latest published run up to the date, certified or not; '
  'snapshot_date shows which one. No rows before the first night; an unknown region is an error.';
