-- The day on which a subscription's month turns in the calendar month of an instant: its own day, or the last there is.
create function ops.month_turn(instant timestamptz, on_day integer) returns timestamptz language sql stable
  as $$
    select month + (least(on_day, extract(day from month + interval '1 month' - interval '1 day')::int) - 1) * interval '1 day'
    from date_trunc('month', instant) as month
  $$;
