-- Price steps of the last week and month summed up. Each begins with the last certified night at least that long ago,
-- or with the first night.

-- forget
delete from derived.price_move where region = :region and until >= :from;

-- derive
delete from derived.price_move where region = :region;
insert into derived.price_move (region, since, until, price_basis, product_keys, prices_before, prices_after)
select :region, since, until, price_basis, array_agg(product_key), array_agg(price_before), array_agg(price_after)
from (select max(snapshot_date) as until from derived_night) as last
cross join lateral (
  select distinct coalesce(
    (select max(snapshot_date) from derived.price_step where region = :region and snapshot_date <= until - days),
    (select min(snapshot_date) from derived.price_step where region = :region)) as since
  from (values (7), (30)) as back (days)
) as beginning
cross join lateral (
  select price_basis, product_key,
    (array_agg(price_before order by snapshot_date))[1] as price_before,
    (array_agg(price_after order by snapshot_date desc))[1] as price_after
  from derived.price_step night
  cross join unnest(product_keys, prices_before, prices_after) as step (product_key, price_before, price_after)
  where night.region = :region and night.snapshot_date > since and night.snapshot_date <= until
  group by price_basis, product_key
) as move
where price_after >= 0 and price_before <> price_after
group by since, until, price_basis;
