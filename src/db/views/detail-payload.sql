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

select ops.describe('marts.detail_payload', $$
One row is a response of a product's own page: the source of its details, the night that requested it, and the payload
  in the archive. Limited to the retention of the archive (ARCHIVE_DAYS).
snapshot_date: Snapshot date of the run that requested it.
reason: Why it was requested: requested, new, changed, refresh or missing.
outcome: found or not_there.
fetched_at: When the response was received.
payload_sha256: Hash of the payload, its key in the archive.
$$);
