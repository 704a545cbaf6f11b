-- The runs that are snapshots. If a night was crawled again, the run with the greatest id counts.
create view ops.published_run as select * from ops.run where kind = 'night' and status = 'published';

-- Published runs that are complete: only they can report a product as gone.
create view ops.certified_run as
select * from ops.run
where kind = 'night' and status = 'published' and verdict in ('complete', 'complete_within_tolerance');

-- The certified run of each snapshot date: the last one.
create view ops.certified_night as
select distinct on (region, snapshot_date) region, snapshot_date, run_id, observed_at
from ops.certified_run
order by region, snapshot_date, run_id desc;
