create view marts.listing_now as
select
  listing.listing,
  present.host,
  coalesce(stop.state, 'ok') as state,
  stop.until as paused_until,
  listing.last_ok_at,
  listing.last_error_at,
  listing.last_error,
  listing.quota_limit,
  listing.quota_remaining,
  listing.quota_resets_at
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
  where (scope, scope_id) in (('listing', listing.listing), ('key', listing.last_key))
  order by until desc
  limit 1
) as stop on true
-- Requests to a host that a listing does not have yet are counted apart.
where listing.listing not like '%@%';

select ops.describe('marts.listing_now', $$
One row is a listing in use: its state as all processes see it.
listing: Name of the listing.
host: Current host of its requests, after any moves.
state: ok; quota: the upstream says the quota is used up; denied: it refuses the key that was sent last; failing: it
  answers with nothing but failures.
paused_until: Until when no process asks it, but for those with another key where quota or key is the reason; null: it
  is asked.
last_ok_at: When it last answered.
last_error_at: When it last did not.
last_error: Why, in a line without a key.
quota_limit: Requests of the plan, from the latest headers of the upstream; null if they have none.
quota_remaining: Requests left, from the latest headers, without those reserved since.
quota_resets_at: When the quota resets, from the latest headers.
$$);
