-- Products whose own pages are worth a request, best first: those that a run's pages listed, without those it chose
-- before, or those that the region lists now. `wanted`: their number without limit.
create function ops.choose_details(
  p_region text, p_run integer, p_at timestamptz, p_limit integer, p_max_age_days integer
) returns table (product_id text, reason text, place bigint, wanted bigint) language sql stable as $$
with listed as (
  select product_key, false as is_changed from catalog.product_current
  where detail_read_at = '-infinity' or p_run is null and availability in ('available', 'unavailable')
  union all
  select seen.product_key, false
  from ops.category_page page cross join lateral unnest(page.seen_keys) as seen (product_key)
  where page.run_id = p_run
  union all
  select staged.product_key, true from stage.product staged
  where staged.run_id = p_run and staged.product_key is not null
), known as (
  select listed.product_key, bool_or(listed.is_changed) as is_changed from listed group by listed.product_key
), candidate as (
  select * from (
    select p.product_id,
      case when c.detail_read_at > '-infinity' then extract(epoch from p_at - c.detail_read_at)::float8 / 86400 end
        as age_days,
      case
        when c.detail_read_at = '-infinity' then 'requested'
        when c.detail_read_at is null then 'new'
        when known.is_changed or p.valid_from > c.detail_read_at then 'changed'
        else 'refresh'
      end as reason
    from known
    join catalog.product p using (product_key)
    join catalog.product_current c using (product_key)
    where p.region = p_region and p.replaced_at is null
    union all
    select distinct staged.product_id, null::float8, 'new' from stage.product staged
    where staged.run_id = p_run and staged.product_key is null
  ) as page
  where not exists (select from ops.detail_fetch d where d.run_id = p_run and d.product_id = page.product_id)
), earlier as (
  -- Before a repair found more products; refreshes were chosen then.
  select count(*) as details from ops.detail_fetch d where d.run_id = p_run and d.reason <> 'missing'
), wanted as (
  -- Every page beyond the maximum age, and so many of the oldest that the others stay below it.
  select count(*) filter (where reason <> 'refresh') + case
    when (select details from earlier) > 0 then 0
    else greatest(
      count(*) filter (where reason = 'refresh' and age_days >= p_max_age_days),
      least(
        ceil(count(age_days) / p_max_age_days::float8),
        count(*) filter (where reason = 'refresh' and age_days > 0.5)))
    end as details
  from candidate
)
select product_id, reason,
  row_number() over (order by rank, age_days desc nulls first, product_id collate "C"),
  (select details::bigint from wanted)
from (
  select *, array_position('{requested,new,changed,refresh}', reason) as rank from candidate
  order by rank, age_days desc nulls first, product_id collate "C"
  limit (select greatest(0, least(wanted.details, p_limit - earlier.details)) from wanted, earlier)
) as chosen
order by 3
$$;
