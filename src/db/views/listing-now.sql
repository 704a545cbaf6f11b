create view marts.listing_now as
select
  listing.listing,
  present.host,
  coalesce(stop.state, 'ok') as state,
  stop.until as paused_until,
  listing.failures_in_a_row,
  listing.last_ok_at,
  listing.last_error_at,
  listing.last_error,
  case when listing.month_limit is not null then listing.used end as units_used,
  case when listing.month_limit is not null then listing.used_by_others end as units_used_by_others,
  case when listing.month_limit is not null then listing.month_starts_at end as month_starts_at,
  case when listing.month_limit is not null then listing.month_ends_at end as month_ends_at,
  listing.quota_limit,
  listing.quota_remaining,
  listing.quota_resets_at,
  listing.quota_seen_at,
  probe.probed_at,
  probe.outcome::text as probe_outcome,
  probe.latency_ms as probe_latency_ms,
  (select max(move.moved_at) from ops.listing_move move
   where move.listing = listing.listing and move.to_host = present.host and move.rolled_back_at is null) as moved_at
from ops.listing listing
-- Current host after all moves, whichever of its hosts a process is configured for.
cross join lateral (
  with recursive path as (
    select listing.host as host, 0 as step
    union all
    select move.to_host, path.step + 1
    from path
    join ops.listing_move move on move.listing = listing.listing and move.from_host = path.host
    where move.rolled_back_at is null and move.to_host <> move.from_host
      and path.step < 8)
  select host from path order by step desc limit 1
) as present
-- An upstream that fails, or what was said of the key that was sent last.
left join lateral (
  select
    case reason when 'key_refused' then 'denied' when 'quota_used_up' then 'quota' else 'failing' end as state,
    until
  from ops.stop stop
  where stop.listing = listing.listing
    and (scope = 'listing' or scope = 'key' and scope_id = listing.last_key and reason <> 'nothing_left')
  order by scope desc
  limit 1
) as stop on true
left join lateral (
  select probed_at, outcome, latency_ms
  from ops.listing_probe probe
  where probe.listing = listing.listing
  order by probed_at desc
  limit 1
) as probe on true;

select ops.describe('marts.listing_now', $$
One row is a listing in use: its state as all processes see it.
listing: Name of the listing.
host: Current host of its requests, after any moves.
state: ok; quota: the upstream says the quota is used up; denied: it refuses the key that was sent last; failing: it
  answers with nothing but failures.
paused_until: Until when no process asks it, but for those with another key where quota or key is the reason; null: it
  is asked.
failures_in_a_row: Failures since the last success.
last_ok_at: When it last answered.
last_error_at: When it last did not.
last_error: Why, in a line without a key.
units_used: Units of the subscription's month that we used; null without a quota.
units_used_by_others: Units that the upstream counts beyond ours.
month_starts_at: When that month began.
month_ends_at: When it ends.
quota_limit: Requests of the plan, from the latest headers of the upstream; null if they have none.
quota_remaining: Requests left, from the latest headers.
quota_resets_at: When the quota resets, from the latest headers.
quota_seen_at: When these headers were received.
probed_at: When it was last probed; null: never.
probe_outcome: answered, denied, missing, failed or not_asked.
probe_latency_ms: From that request to the last byte of its answer, in milliseconds.
moved_at: When it was moved to this host, or a user confirmed this host as the current one; null: neither.
$$);
