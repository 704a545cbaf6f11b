create view marts.payload_field as
select
  taken.run_id,
  taken.region,
  taken.snapshot_date,
  taken.endpoint,
  taken.payloads,
  field.path,
  kinds.seen,
  kinds.types
from ops.payload_profile taken
cross join lateral jsonb_each(taken.profile -> 'upstream') as field (path, counted)
cross join lateral (
  select coalesce(sum(times::numeric), 0)::bigint as seen, coalesce(string_agg(type, ', ' order by type), '') as types
  from jsonb_each_text(field.counted -> 'types') as kind (type, times)
) as kinds;

select ops.describe('marts.payload_field', $$
One row is a field in a sample of the payloads of a run, whether we parse it or not. Name runs.
run_id: Joins certificate.
payloads: Payloads in the sample.
path: Path in the payload, with [] for any element of a list; $ is the whole payload.
seen: How often it occurred.
types: JSON types of its values, separated by ", ".
$$);
