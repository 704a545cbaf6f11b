create view marts.missed_night as
select crawled.region, night::date as snapshot_date
from (
  select region, min(snapshot_date) as first_night, max(snapshot_date) as last_night
  from ops.run
  where region is not null
  group by region
) as crawled
cross join lateral generate_series(first_night, last_night, interval '1 day') as night
where not exists (select from ops.run r where r.region = crawled.region and r.snapshot_date = night::date);

select ops.describe('marts.missed_night', $$
One row is a night between two others of its region that was due while no process ran. It is never crawled later.
$$);
