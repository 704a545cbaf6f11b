create view marts.quarantine_reason as
select
  kept.run_id,
  kept.region,
  kept.endpoint,
  place.path,
  kept.reason,
  count(*) as elements,
  count(kept.healed_at) as healed,
  min(kept.seen_at) as first_seen_at,
  max(kept.seen_at) as last_seen_at,
  left(max(kept.value), 200) as sample
from ops.quarantine kept
cross join lateral regexp_replace(kept.path, '\[[0-9]+\]', '[]', 'g') as place (path)
group by kept.run_id, kept.region, kept.endpoint, place.path, kept.reason;

comment on view marts.quarantine_reason is
  'One row is a reason why elements of a run''s payloads could not be parsed, per kind of path. '
  'A replay may heal them.';
comment on column marts.quarantine_reason.run_id is 'Joins certificate; null: outside any run.';
comment on column marts.quarantine_reason.region is 'uk or ie; null for endpoints without a region.';
comment on column marts.quarantine_reason.endpoint is 'Name of the endpoint.';
comment on column marts.quarantine_reason.path is
  'Path in the payload, with [] for any element of a list; $ is the whole payload.';
comment on column marts.quarantine_reason.reason is 'Why it could not be parsed.';
comment on column marts.quarantine_reason.elements is 'Number of elements.';
comment on column marts.quarantine_reason.healed is 'Elements parsed by a later replay.';
comment on column marts.quarantine_reason.first_seen_at is 'When the first of them was received.';
comment on column marts.quarantine_reason.last_seen_at is 'When the last of them was received.';
comment on column marts.quarantine_reason.sample is 'JSON of one element as received, cut at 200 characters.';
