-- Start of the subscription month that contains an instant: its day, or the last day of a shorter month.
create function ops.month_start(instant timestamptz, on_day integer) returns timestamptz language sql stable
  as $$
    select max(turn) from (
      select month + (least(on_day, extract(day from month + interval '1 month' - interval '1 day')::int) - 1)
        * interval '1 day' as turn
      from (values (date_trunc('month', instant)), (date_trunc('month', instant) - interval '1 month')) as m (month)
    ) as turns
    where turn <= instant
  $$;
