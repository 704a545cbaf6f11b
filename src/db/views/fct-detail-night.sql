create view marts.fct_detail_night as
select distinct on (run.region, run.snapshot_date)
  run.region,
  run.snapshot_date,
  run.run_id,
  counted.details_read as details_asked,
  counted.details_changed
from ops.published_run run
join ops.run_details counted using (run_id)
order by run.region, run.snapshot_date, run.run_id desc;

select ops.describe('marts.fct_detail_night', $$
One row is a region-night: the product details it requested, and how many of them had changed.
run_id: The run that is the night.
details_asked: Products whose own page was read.
details_changed: Products with known details that had changed.
$$);
