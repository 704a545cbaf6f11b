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

comment on view marts.payload_field is
  'One row is a field in a sample of the payloads of a run, whether we parse it or not. Name runs.';
comment on column marts.payload_field.run_id is 'Joins certificate.';
comment on column marts.payload_field.region is 'uk or ie.';
comment on column marts.payload_field.snapshot_date is 'Calendar date of the night in the region''s time zone.';
comment on column marts.payload_field.endpoint is 'Name of the endpoint.';
comment on column marts.payload_field.payloads is 'Payloads in the sample.';
comment on column marts.payload_field.path is
  'Path in the payload, with [] for any element of a list; $ is the whole payload.';
comment on column marts.payload_field.seen is 'How often it occurred.';
comment on column marts.payload_field.types is 'JSON types of its values, separated by ", ".';
