-- Writes the outcomes of a listing's requests since the process's last write, exactly once: a group that was written
-- before has no effect. Returns whether a stop holds the listing or the key back, and which of the runs have ended and
-- need a recount.
create function ops.settle(
  p_listing text, p_key text, p_terms jsonb, p_asked_at timestamptz, p_settled jsonb
) returns jsonb language plpgsql
-- Planned once per connection: rows are looked up by key, and planning would cost more than running.
set plan_cache_mode = force_generic_plan as $$
declare
  listing ops.listing;
  price constant numeric := (p_terms->>'price')::numeric;
  told constant jsonb := nullif(p_settled->'told', 'null');
  told_at constant timestamptz := (told->>'seen_at')::timestamptz;
  resets_at constant timestamptz := (told->>'resets_at')::timestamptz;
  included bigint;
  failures integer;
  answer jsonb;
begin
  select * into listing from ops.listing l where l.listing = p_listing for update;
  if not found then
    insert into ops.listing (listing, host) values (p_listing, p_terms->>'host') on conflict do nothing;
    select * into listing from ops.listing l where l.listing = p_listing for update;
  end if;
  insert into ops.spend_write as w (writer, number, written_at)
  values ((p_settled->>'writer')::uuid, (p_settled->>'number')::int, p_asked_at)
  on conflict (writer) do update
  set number = excluded.number, written_at = excluded.written_at
  where w.number < excluded.number;
  if not found then return null; end if;
  if (p_settled->>'number')::int = 1 then
    delete from ops.spend_write where written_at < p_asked_at - interval '7 days';
  end if;

  -- Reserved requests that were never sent. Those of an earlier month stay counted.
  update ops.listing l set
    used = greatest(0, l.used - b.units), used_at_end = greatest(0, l.used_at_end - b.units_at_end)
  from (
    select coalesce(sum(g.units), 0) as units,
      coalesce(sum(g.units) filter (
        where g.at >= listing.month_ends_at - (p_terms->>'turn_ms')::float8 * interval '1 ms'), 0)
        as units_at_end
    from jsonb_to_recordset(p_settled->'back') as g (at timestamptz, at_ms float8, units int)
    where g.at >= listing.month_starts_at
  ) as b
  where l.listing = p_listing
  returning l.* into listing;
  update ops.listing_window w set used = greatest(0, w.used - b.units)
  from (
    select (t->>'ms')::bigint as window_ms, floor(g.at_ms / (t->>'piece_ms')::float8) as piece, sum(g.units) as units
    from jsonb_to_recordset(p_settled->'back') as g (at_ms float8, units int),
      jsonb_array_elements(p_terms->'windows') as t
    group by 1, 2
  ) as b
  where w.listing = p_listing and w.window_ms = b.window_ms and w.piece = b.piece;
  delete from ops.listing_window w using jsonb_array_elements(p_terms->'windows') as t
  where w.listing = p_listing and w.window_ms = (t->>'ms')::bigint
    and w.piece < floor((ops.clock_ms() - 2 * w.window_ms - 60000) / (t->>'piece_ms')::float8);

  -- Cost of a request: its share of the plan's price or, beyond the included requests, the price of an extra one.
  included := coalesce((p_terms->>'included')::bigint, (told->>'limit')::bigint, listing.quota_limit);
  insert into ops.spend as s (
    listing, hour, endpoint, region, run_id, sent, units, cost, currency,
    ok, failed, refused, rate_limited, quota, denied, aborted)
  select p_listing, c.hour, c.endpoint, c.region, c.run_id, c.sent, c.units,
    case when price = 0 and b.units = 0 then 0
      else (c.weight - b.units) * price / nullif(included, 0)
        + case when b.units > 0 then b.units * (p_terms->>'price_beyond')::numeric else 0 end end,
    p_terms->>'currency', c.ok, c.failed, c.refused, c.rate_limited, c.quota, c.denied, c.aborted
  from jsonb_to_recordset(p_settled->'counts') as c (
    hour timestamptz, endpoint text, region text, run_id int, sent int, units int, weight int, weight_after int,
    ok int, failed int, refused int, rate_limited int, quota int, denied int, aborted int)
  cross join lateral (
    select coalesce(least(c.weight, greatest(0, listing.used + listing.used_by_others - included
      - (p_settled->>'held')::bigint - c.weight_after)), 0) as units) as b
  order by c.hour, c.endpoint, c.region, c.run_id
  on conflict on constraint spend_once_an_hour do update set
    sent = s.sent + excluded.sent, units = s.units + excluded.units,
    cost = case when s.sent = 0 then excluded.cost else s.cost + excluded.cost end, currency = excluded.currency,
    ok = s.ok + excluded.ok, failed = s.failed + excluded.failed, refused = s.refused + excluded.refused,
    rate_limited = s.rate_limited + excluded.rate_limited, quota = s.quota + excluded.quota,
    denied = s.denied + excluded.denied, aborted = s.aborted + excluded.aborted;

  failures := (p_settled->>'failures')::int + case
    when (p_settled->>'ok_at') is null then listing.failures_in_a_row
    else 0
  end;
  update ops.listing l set
    host = p_terms->>'host', failures_in_a_row = failures,
    last_key = case when coalesce(p_settled->>'ok_at', p_settled->>'error_at') is null then l.last_key else p_key end,
    last_ok_at = coalesce((p_settled->>'ok_at')::timestamptz, l.last_ok_at),
    last_error_at = coalesce((p_settled->>'error_at')::timestamptz, l.last_error_at),
    last_error = case when p_settled->>'error_at' is null then l.last_error else p_settled->>'error' end,
    next_slot_ms = greatest(l.next_slot_ms, ops.clock_ms() + (p_settled->>'pause_ms')::float8)
  where l.listing = p_listing;
  if failures >= (p_terms->>'failures_to_stop')::int and p_settled->>'error_at' is not null then
    insert into ops.stop (scope, scope_id, listing, reason, detail, since, until)
    values ('listing', p_listing, p_listing, 'failing', p_settled->>'error', p_asked_at,
      p_asked_at + (p_terms->>'failing_ms')::float8 * interval '1 ms')
    on conflict (scope, scope_id) do nothing;
  end if;

  answer := jsonb_build_object(
    'is_stopped',
    exists (select from ops.stop s where (s.scope, s.scope_id) in (('key', p_key), ('listing', p_listing))),
    'ended_runs', (
      select json_agg(distinct r.run_id) from jsonb_to_recordset(p_settled->'counts') as c (run_id int)
      join ops.run r using (run_id) where r.requests_spent is not null));
  if told is null then return answer; end if;
  -- Quota according to the headers. Units they count beyond ours belong to another user, and the latest value holds,
  -- because their counter lags, jumps back and resets late. A limit smaller than ours is another quota, perhaps a daily
  -- one. A reset at most a day away may be daily, and one that is always equally far away ends the month at most 31
  -- days after it began.
  update ops.listing l set
    quota_limit = (told->>'limit')::int, quota_remaining = (told->>'remaining')::int, quota_resets_at = resets_at,
    quota_seen_at = told_at, quota_key = p_key,
    used_by_others = case when own.counts
      then greatest(0,
        (told->>'limit')::bigint - (told->>'remaining')::bigint - greatest(0, l.used - (told->>'not_sent')::bigint))
      else l.used_by_others end,
    month_ends_at = case
      when own.counts and (told->>'limit')::bigint >= own.month_limit
        and resets_at > least(l.month_ends_at, told_at + interval '26 hours')
        and abs(extract(epoch from l.month_ends_at - least(resets_at, l.month_starts_at + interval '31 days'))) > 60
      then least(resets_at, l.month_starts_at + interval '31 days')
      else l.month_ends_at end
  from (
    select (p_terms->>'month_limit')::bigint as month_limit,
      p_terms->>'month_limit' is not null and listing.month_starts_at <= told_at and told_at < listing.month_ends_at
        and coalesce(resets_at > told_at, true) as counts) as own
  where l.listing = p_listing;
  return answer;
end
$$;
