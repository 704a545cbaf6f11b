create view marts.quarantine_reason as
select
  kept.run_id,
  kept.region,
  kept.endpoint,
  place.path,
  kept.reason,
  count(*) as elements,
  min(kept.seen_at) as first_seen_at,
  max(kept.seen_at) as last_seen_at,
  left(max(kept.value), 200) as sample
from ops.quarantine kept
cross join lateral regexp_replace(kept.path, '\[[0-9]+\]', '[]', 'g') as place (path)
group by kept.run_id, kept.region, kept.endpoint, place.path, kept.reason;

select ops.describe('marts.quarantine_reason', $$
One row is a reason why elements of a run's payloads could not be parsed, per kind of path. A replay reads them again.
run_id: Joins certificate; null: outside any run.
path: Path in the payload, with [] for any element of a list; $ is the whole payload.
reason: Why it could not be parsed.
elements: Number of elements.
first_seen_at: When the first of them was received.
last_seen_at: When the last of them was received.
sample: JSON of one element as received, cut at 200 characters.
$$, 'marts.listing_spend_daily');
