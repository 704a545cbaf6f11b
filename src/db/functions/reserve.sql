-- Reserves requests of one listing against all of its limits. The listing's row is locked, so two processes never get
-- the same request or slot. The terms (src/gateway/limits/terms.ts) are those of the calling process.
create function ops.reserve(
  p_listing text, p_key text, p_terms jsonb,
  -- The instant played by `--now`, null: the database's clock; and the process's own clock, which dates stops.
  p_played_at timestamptz, p_asked_at timestamptz,
  -- The requests: each counts `p_weight` units; a vital one may use the monthly reserve.
  p_weight integer, p_vital boolean, p_run integer, p_endpoint text, p_region text,
  -- Number of requests wanted, and number of them that are waiting.
  p_count integer, p_waiting integer,
  -- The process, and how late it may use its slots beyond the slack between them.
  p_process uuid, p_guard_ms double precision,
  -- Permission to probe a stop before it expires: `first` request of a process, or `health` probe.
  p_probe text,
  -- Outcomes to settle (settle.sql); null: none.
  p_settled jsonb,
  out at_ms double precision, out at timestamptz, out granted integer,
  -- Slots of one unit each, evenly spaced.
  out slots integer, out first_slot_ms double precision, out gap_ms double precision,
  -- The exhausted limit: month, turn, second, minute, hour or day; and when to ask again.
  out full_limit text, out again_ms double precision, out month_ends timestamptz,
  -- The stop in force; units granted despite it are for its probe.
  out stop jsonb,
  -- Result of ops.settle.
  out settled jsonb
) language plpgsql
-- Planned once per connection: rows are looked up by key, and planning would cost more than running.
set plan_cache_mode = force_generic_plan as $$
declare
  rate constant float8 := (p_terms->>'per_second')::float8;
  per_window constant integer := greatest(1, floor(rate));
  -- A request heavier than the limit per second uses all of it.
  slots_each constant integer := least(p_weight, per_window);
  hold constant float8 := (p_terms->>'hold_ms')::float8;
  ahead constant float8 := (p_terms->>'ahead_ms')::float8;
  turn constant interval := (p_terms->>'turn_ms')::float8 * interval '1 ms';
  monthly constant bigint := (p_terms->>'month_limit')::bigint;
  listing ops.listing;
  held ops.stop;
  latest constant timestamptz := p_asked_at + (p_terms->>'clock_error_ms')::float8 * interval '1 ms';
  rechecked_at timestamptz;
  month_start timestamptz;
  month_end timestamptz;
  allowed bigint;
  full_ms float8;
begin
  loop
    select * into listing from ops.listing l where l.listing = p_listing for update;
    exit when found;
    insert into ops.listing (listing, host) values (p_listing, p_terms->>'host') on conflict do nothing;
  end loop;
  if p_settled is not null then
    settled := ops.settle(p_listing, p_key, p_terms, p_asked_at, p_settled);
    select * into listing from ops.listing l where l.listing = p_listing;
  end if;
  -- Read under the lock, so that a process that waited for it gets a later time than the previous holder.
  at_ms := ops.clock_ms();
  at := coalesce(p_played_at, to_timestamp(at_ms / 1000));
  granted := 0; slots := 0;

  -- A stop admits only its probe. A stop dated later than now comes from a wrong clock and is ignored.
  select * into held from ops.stop s
  where (s.scope, s.scope_id) in (('key', p_key), ('listing', p_listing)) and s.since <= latest
    and (s.reason <> 'nothing_left' or (p_terms->>'by_headers')::boolean)
  order by s.scope limit 1;
  if found then
    -- A raised quota is not announced, so a used-up quota is probed from time to time.
    rechecked_at := case when held.reason in ('quota_used_up', 'nothing_left')
      then greatest(held.since, case when held.probed_at <= latest then held.probed_at end)
        + (p_terms->>'recheck_ms')::float8 * interval '1 ms' end;
    stop := to_jsonb(held) || jsonb_build_object('failures', listing.failures_in_a_row, 'rechecked_at', rechecked_at);
    if coalesce(least(held.until, rechecked_at) <= p_asked_at and coalesce(held.probe_until <= p_asked_at, true)
      or p_probe = 'first' and held.reason <> 'nothing_left'
      or p_probe = 'health' and held.reason = 'failing', false) is false
    then return; end if;
    p_count := 1; p_waiting := 1;
  end if;

  if not coalesce(listing.month_starts_at <= at and at < listing.month_ends_at, false) then
    month_start := ops.month_start(at, (p_terms->>'month_day')::int);
    month_end := ops.month_start(month_start + interval '32 days', (p_terms->>'month_day')::int);
    listing.used_before := 0;
    -- The new month starts where the last one ended, which the upstream's headers may have determined.
    if listing.month_ends_at between month_start and at then
      month_start := listing.month_ends_at;
      listing.used_before := listing.used + listing.used_by_others;
    end if;
    select coalesce(sum(s.units), 0) into listing.used from ops.spend s
    where s.listing = p_listing and s.hour >= date_trunc('hour', month_start) and s.hour < month_end;
    -- Requests sent around the turn of the month may count in the new one.
    if listing.used_before > 0 and p_played_at is null then
      listing.used := greatest(listing.used, listing.used_at_end);
    end if;
    listing.used_by_others := 0; listing.used_at_end := 0;
    listing.month_starts_at := month_start; listing.month_ends_at := month_end;
  end if;
  month_ends := listing.month_ends_at;

  -- Number of requests that the tightest limit allows.
  select l.name, greatest(0, l.units) / p_weight, l.window_ms into full_limit, allowed, full_ms
  from (
    select 1 as place, 'month' as name,
      monthly - case when p_vital then 0 else (p_terms->>'month_reserve')::bigint end
        - listing.used - listing.used_by_others as units,
      null::float8 as window_ms
    union all
    -- Requests sent just after the turn of the month may still count in the old one.
    select 2, 'turn', monthly - listing.used_before, null
    where listing.used_before > 0 and p_played_at is null and at < listing.month_starts_at + turn
    union all
    select 3, t->>'name', greatest((t->>'units')::bigint, p_weight) - (
      -- A piece that overlaps the window counts completely, and its requests may have been sent slightly later. Pieces
      -- slightly ahead of now come from a clock that was set back; those further ahead are ignored.
      select coalesce(sum(w.used), 0) from ops.listing_window w
      where w.listing = p_listing and w.window_ms = (t->>'ms')::bigint
        and w.piece between floor((at_ms - (t->>'ms')::float8 - hold) / (t->>'piece_ms')::float8)
          and floor((at_ms + greatest(16 * 60000, (t->>'ms')::float8)) / (t->>'piece_ms')::float8)), (t->>'ms')::float8
    from jsonb_array_elements(p_terms->'windows') as t
  ) as l
  where l.units is not null order by 2, l.place limit 1;
  if allowed is null or allowed > 0 then
    full_limit := null;
    -- Waiting requests come first; near the end of a limit, requests are granted one by one.
    granted := least(p_count, allowed, case when allowed is not null then greatest(p_waiting, allowed / 100) end);
  elsif full_limit = 'turn' then
    again_ms := at_ms + 1000 * extract(epoch from listing.month_starts_at + turn - at);
  elsif full_ms is not null then
    select (min(w.piece) + 1) * (t->>'piece_ms')::float8 + full_ms + hold into again_ms
    from jsonb_array_elements(p_terms->'windows') as t join ops.listing_window w
      on w.listing = p_listing and w.window_ms = (t->>'ms')::bigint and w.used > 0
        and w.piece >= floor((at_ms - w.window_ms - hold) / (t->>'piece_ms')::float8)
    where t->>'name' = full_limit group by t;
  end if;

  if rate > 0 and granted > 0 then
    -- 1.5% slower than allowed, to absorb late departures and varying network delays.
    gap_ms := 1000 / rate * 1.0155;
    -- A slot far in the future comes from a clock that was set back.
    first_slot_ms := greatest(at_ms, case when listing.next_slot_ms <= at_ms + 16 * 60000
      then listing.next_slot_ms + case when listing.slot_holder = p_process then 0 else listing.slot_guard_ms end end);
    if first_slot_ms > at_ms + ahead / 2 then
      full_limit := 'second'; again_ms := first_slot_ms - ahead / 2; granted := 0;
    else
      -- A heavy request keeps the slots behind it free.
      slots := greatest(slots_each, 1 + floor((at_ms + ahead - first_slot_ms) / gap_ms)::int);
      granted := least(granted, slots / slots_each);
      slots := least(slots, granted * slots_each) + case when slots_each > 1 then per_window else 0 end;
      listing.next_slot_ms := first_slot_ms + slots * gap_ms;
      listing.slot_holder := p_process; listing.slot_guard_ms := p_guard_ms;
    end if;
  end if;

  if granted > 0 and held.scope is not null then
    update ops.stop s
    set probed_at = p_asked_at, probe_until = p_asked_at + (p_terms->>'probe_ms')::float8 * interval '1 ms'
    where s.scope = held.scope and s.scope_id = held.scope_id;
  end if;
  update ops.listing l set
    next_slot_ms = listing.next_slot_ms, slot_holder = listing.slot_holder, slot_guard_ms = listing.slot_guard_ms,
    month_starts_at = listing.month_starts_at, month_ends_at = listing.month_ends_at, month_limit = monthly,
    used = listing.used + granted * p_weight, used_by_others = listing.used_by_others,
    used_before = listing.used_before + case
      when at < listing.month_starts_at + turn then granted * p_weight
      else 0
    end,
    used_at_end = listing.used_at_end + case when at >= listing.month_ends_at - turn then granted * p_weight else 0 end
  where l.listing = p_listing;
  if granted = 0 then return; end if;
  insert into ops.listing_window as w (listing, window_ms, piece, used)
  select p_listing, (t->>'ms')::bigint, floor(at_ms / (t->>'piece_ms')::float8), granted * p_weight
  from jsonb_array_elements(p_terms->'windows') as t
  on conflict on constraint listing_window_listing_window_ms_piece_pk do update set used = w.used + excluded.used;
  insert into ops.spend as s (listing, hour, endpoint, region, run_id, units)
  values (p_listing, date_trunc('hour', at), p_endpoint, p_region, p_run, granted * p_weight)
  on conflict on constraint spend_once_an_hour do update set units = s.units + excluded.units;
end
$$;
