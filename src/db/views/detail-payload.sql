create view marts.detail_payload as
select
  run.region,
  asked.product_id,
  run.snapshot_date,
  run.run_id,
  asked.reason,
  asked.outcome,
  asked.fetched_at,
  encode(asked.payload_sha256, 'hex') as payload_sha256
from ops.detail_fetch asked
join ops.run run on run.run_id = asked.run_id
where asked.payload_sha256 is not null;

comment on view marts.detail_payload is
  'One row is a response of a product''s own page: the source of its details, the night that requested it, and the '
  'payload in the archive. Limited to the retention of the archive (ARCHIVE_DAYS).';
comment on column marts.detail_payload.region is 'uk or ie.';
comment on column marts.detail_payload.product_id is 'The upstream''s product id.';
comment on column marts.detail_payload.snapshot_date is 'Snapshot date of the run that requested it.';
comment on column marts.detail_payload.run_id is 'The run; joins snapshot.';
comment on column marts.detail_payload.reason is
  'Why it was requested: requested, new, changed, refresh or missing.';
comment on column marts.detail_payload.outcome is 'found or not_there.';
comment on column marts.detail_payload.fetched_at is 'When the response was received.';
comment on column marts.detail_payload.payload_sha256 is 'Hash of the payload, its key in the archive.';
