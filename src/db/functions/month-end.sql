-- End of the subscription month that contains an instant: the next of its days, or the last day of a shorter month.
create function ops.month_end(instant timestamptz, on_day integer) returns timestamptz language sql stable
  as $$
    select min(turn) from (
      select month + (least(on_day, extract(day from month + interval '1 month' - interval '1 day')::int) - 1)
        * interval '1 day' as turn
      from (values (date_trunc('month', instant)), (date_trunc('month', instant) + interval '1 month')) as m (month)
    ) as turns
    where turn > instant
  $$;
