-- What products that left since the period before leave in an index: the sum of logarithms by which their prices in
-- that period, `p_logs`, differ from those 91 nights before `p_seen_at`, its end, or from the first ones since. A
-- product that sold out after a clearance departs after 60 nights, so that is a month before. Outliers are left out.
-- Half a day for runs that start later than usual. `p_categories`: each product's in that period, as text, because it
-- may have lost them since.
create function ops.note_departures(
  p_region text, p_period text, p_start date, p_keys integer[], p_logs double precision[],
  p_categories text[], p_seen_at timestamptz
) returns void language sql as $$
update derived.price_index i
set departure_logs = gone.logs
from (
  select category_key, sum(departed.log - ln(former.price_minor)) as logs
  from unnest(p_keys, p_logs, p_categories) as departed (product_key, log, categories)
  cross join lateral (
    select spell.price_minor from catalog.price_spell spell
    where spell.product_key = departed.product_key and spell.price_minor > 0
      and (spell.valid_to is null or spell.valid_to > p_seen_at - interval '90 days 12 hours')
    order by spell.valid_from limit 1
  ) as former
  cross join unnest(departed.categories::integer[]) as category_key
  where abs(departed.log - ln(former.price_minor)) <= ln(10)
  group by category_key
) as gone
where (i.region, i.period, i.period_start, i.category_key) = (p_region, p_period, p_start, gone.category_key)
$$;
