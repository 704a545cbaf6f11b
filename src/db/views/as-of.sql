-- Written to be inlined, so that a filter on it costs what the filtered rows cost: one select in SQL, with the rights
-- and settings of who asks. It reads marts alone, and names are looked up now, not when it is called.
create function marts.as_of(region text, on_date date)
returns setof marts.fct_price_daily
language sql
stable
parallel safe
begin atomic
  select
    night.region,
    night.snapshot_date,
    night.product_id,
    night.product_key,
    night.title,
    night.price,
    night.currency,
    night.unit_price,
    night.unit_of_measure,
    night.loyalty_price,
    night.availability,
    night.on_promotion,
    night.change_seq,
    night.updated_at
  from marts.product_night night
  where night.run_id = (
    select s.run_id
    from marts.snapshot s
    where s.region = as_of.region and s.snapshot_date <= as_of.on_date
    order by s.snapshot_date desc
    limit 1);
end;

revoke execute on function marts.as_of(text, date) from public;

comment on function marts.as_of(text, date) is 'The catalogue of a region as the night of a date left it: one row is a listed product, columns as in fct_price_daily. The night is the latest published run up to the date, certified or not, and snapshot_date says which one that was. No rows for an unknown region or before the first night.';
