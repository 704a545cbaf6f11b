create function marts.region_parity(night date, base date default null, tiers integer[] default '{1,2}')
returns table (pairs integer, uk_matched_pct numeric, ie_matched_pct numeric, precision_pct numeric,
  parity numeric, same_pairs integer, change_pct numeric)
language sql stable
begin atomic
  -- One pass over both nights: joined, the planner would take each for a single pair.
  with pair as (
    select min(precision_pct) as precision_pct,
      max(ie_price::float8 / uk_price::float8) filter (where snapshot_date = night) as ratio,
      max(ie_price::float8 / uk_price::float8) filter (where snapshot_date = base) as before
    from marts.fct_region_gap
    where snapshot_date in (night, base) and tier = any (tiers) and uk_price > 0 and ie_price > 0
    group by uk_product_key, ie_product_key
  )
  select count(*)::integer, round(100.0 * count(*) / max(listed.uk), 1),
    round(100.0 * count(*) / max(listed.ie), 1), min(precision_pct),
    exp(avg(ln(ratio)))::numeric(10, 4), count(before)::integer,
    (100 * exp(avg(ln(ratio / before))) - 100)::numeric(16, 2)
  from pair
  cross join (select max(products_listed) filter (where region = 'uk') as uk, max(products_listed)
    filter (where region = 'ie') as ie from marts.fct_region_daily where snapshot_date = night) as listed
  where ratio is not null;
end;

revoke execute on function marts.region_parity(date, date, integer[]) from public;

comment on function marts.region_parity(date, date, integer[]) is
  'Pairs with both prices, their share of each listing, least precision, and parity: the geometric mean of euros per '
  'pound. change_pct: its change over the same_pairs, priced on the night base, too.';
