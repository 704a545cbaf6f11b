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
  -- Backwards, so that the latest night is read first, and alone if only it is wanted.
  order by region desc, snapshot_date desc, run_id desc
) as night
left join ops.night_change change on change.region = night.region and change.snapshot_date = night.snapshot_date
left join derived.night_change derived_change
  on derived_change.region = night.region and derived_change.snapshot_date = night.snapshot_date;

select ops.describe('marts.snapshot', $$
One row is a region-night: the latest published run of a snapshot date.
run_id: The run that is the night.
certificate: Completeness of the run: complete, complete_within_tolerance or partial. Only the first two are certified,
  and only they report products as gone.
derived_change_seq: Change key of the data derived from the night (daily figures, indices, pack changes), from the same
  sequence; null until it is derived.
derived_at: Instant of that change.
$$, 'marts.certificate');
