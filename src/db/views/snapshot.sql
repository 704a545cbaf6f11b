create view marts.snapshot as
select distinct on (region, snapshot_date)
  region,
  snapshot_date,
  run_id,
  verdict::text as certificate,
  products_listed,
  products_available,
  requests_spent,
  started_at,
  finished_at
from ops.run
where status = 'published'
order by region, snapshot_date, run_id desc;

comment on view marts.snapshot is 'One row is a region-night: the latest published run of a snapshot date.';
comment on column marts.snapshot.region is 'uk or ie.';
comment on column marts.snapshot.snapshot_date is 'Calendar date of the night in the region''s time zone.';
comment on column marts.snapshot.run_id is 'The run that is the night.';
comment on column marts.snapshot.certificate is 'How sure we are that the run saw everything: complete, complete_within_tolerance or partial. Only the first two are certified, and only they say that something is gone.';
comment on column marts.snapshot.products_listed is 'Products available or unavailable after the run.';
comment on column marts.snapshot.products_available is 'Products available after the run.';
comment on column marts.snapshot.requests_spent is 'Requests the run sent.';
comment on column marts.snapshot.started_at is 'When the run began.';
comment on column marts.snapshot.finished_at is 'When the run was published.';
