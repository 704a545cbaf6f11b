create view marts.snapshot as
select
  night.region,
  night.snapshot_date,
  night.run_id,
  night.verdict::text as certificate,
  night.products_listed,
  night.products_available,
  night.requests_spent,
  night.started_at,
  night.finished_at,
  change.change_seq,
  change.updated_at,
  derived_change.change_seq as derived_change_seq,
  derived_change.updated_at as derived_at
from (
  select distinct on (region, snapshot_date) *
  from ops.published_run
  order by region, snapshot_date, run_id desc
) as night
left join ops.night_change change on change.region = night.region and change.snapshot_date = night.snapshot_date
left join derived.night_change derived_change
  on derived_change.region = night.region and derived_change.snapshot_date = night.snapshot_date;

comment on view marts.snapshot is 'One row is a region-night: the latest published run of a snapshot date.';
comment on column marts.snapshot.region is 'uk or ie.';
comment on column marts.snapshot.snapshot_date is 'Calendar date of the night in the region''s time zone.';
comment on column marts.snapshot.run_id is 'The run that is the night.';
comment on column marts.snapshot.certificate is
  'Completeness of the run: complete, complete_within_tolerance or partial. '
  'Only the first two are certified, and only they report products as gone.';
comment on column marts.snapshot.products_listed is 'Products available or unavailable after the run.';
comment on column marts.snapshot.products_available is 'Products available after the run.';
comment on column marts.snapshot.requests_spent is 'Requests the run sent.';
comment on column marts.snapshot.started_at is 'When the run began.';
comment on column marts.snapshot.finished_at is 'When the run was published.';
comment on column marts.snapshot.change_seq is
  'Change key of the night: rises whenever the night is written or changed, in commit order. '
  'Rows with a greater key than those of a copy are new or have changed.';
comment on column marts.snapshot.updated_at is 'Instant of that change, by the clock of the program.';
comment on column marts.snapshot.derived_change_seq is
  'Change key of the data derived from the night (daily figures, indices, pack changes), from the same sequence; '
  'null until it is derived.';
comment on column marts.snapshot.derived_at is 'Instant of that change.';
