-- Permission for up to `p_wanted` requests of one listing, against its stops and all of its limits. The listing's row
-- is locked, so no two processes are given the same request, slot or probe. The limits (src/gateway/limits/limits.ts)
-- are those of the calling process.
create function ops.reserve(
  p_listing text, p_key text, p_run integer, p_limits jsonb, p_wanted integer,
  -- The instant played by `--now`, by which months are counted; null: the database's clock.
  p_played_at timestamptz,
  out granted integer, out at timestamptz, out at_ms float8,
  -- With a pace: the first slot, and the distance between slots.
  out first_slot_ms float8, out gap_ms float8,
  -- When the month ends; requests used in it, and included in its price as far as headers say so.
  out month_ends_ms float8, out month_used bigint, out month_reported bigint,
  -- Nothing was granted: the reason of a stop or the name of a limit, and when to ask again, compared with `at`; null:
  -- never.
  out held_by text, out detail text, out again timestamptz,
  -- The permission is for a probe, which repeats this request; null: any request.
  out is_probe boolean, out probe text
) language plpgsql
-- Planned once per connection: rows are looked up by key, and planning would cost more than running.
set plan_cache_mode = force_generic_plan as $$
declare
  here ops.listing;
  clock timestamptz;
  told bigint;
  allowed bigint;
  rate constant float8 := (p_limits->>'per_second')::float8;
  hold_ms constant float8 := (p_limits->>'hold_ms')::float8;
  ahead_ms constant float8 := (p_limits->>'ahead_ms')::float8;
begin
  insert into ops.listing (listing, host) values (p_listing, p_limits->>'host') on conflict do nothing;
  select * into here from ops.listing l where l.listing = p_listing for update;
  -- Read under the lock, so that a process that waited has a later time than the one before.
  clock := ops.clock();
  at := coalesce(p_played_at, clock);
  at_ms := extract(epoch from clock) * 1000;
  granted := 0; is_probe := false;

  -- Stops of all three scopes. The one that ends last holds; when those of key and listing have ended, one probes.
  select s.reason, s.detail, at + case
    when s.until > clock then s.until - clock when s.probe_until > clock then interval '1 s' else interval '0' end
  into held_by, detail, again
  from ops.stop s
  where (s.scope, s.scope_id) in (('key', p_key), ('listing', p_listing), ('run', p_run::text))
    and (s.scope <> 'run' or s.until > clock)
  order by s.until desc, s.probe_until desc limit 1;
  if found then
    if again > at then return; end if;
    is_probe := true; probe := here.last_answered; p_wanted := 1;
  end if;

  -- The month, and the quota according to headers, begin anew. A limit of the headers stays until they name another.
  if coalesce(here.month_ends_at <= at, true) then
    here.month_starts_at := at; here.month_ends_at := ops.month_end(at, (p_limits->>'month_day')::int); here.used := 0;
    if here.quota_resets_at is null then here.quota_remaining := here.quota_limit; end if;
  end if;
  if here.quota_resets_at <= at then here.quota_remaining := here.quota_limit; here.quota_resets_at := null; end if;
  told := case when here.quota_key = p_key and not is_probe then here.quota_remaining end;
  if told <= 0 then
    held_by := 'quota_used_up';
    again := coalesce(here.quota_resets_at, at + interval '1 hour');
    insert into ops.stop (scope, scope_id, reason, since, until)
    values ('key', p_key, 'quota_used_up', clock, clock + (again - at)) on conflict do nothing;
    return;
  end if;

  -- The limit that allows least.
  select l.name, l.requests, l.again into held_by, allowed, again
  from (
    select 'month' as name, (p_limits->>'per_month')::bigint - here.used as requests,
      here.month_ends_at as again
    union all
    select 'quota_used_up', told, null
    union all
    select 'budget', b.max_requests - b.reserved, null from ops.run_budget b where b.run_id = p_run
    union all
    -- A piece that overlaps the window counts whole, and its requests may be sent as late as they may be kept.
    -- Pieces far ahead come from a clock that was set back.
    select w->>'name', (w->>'requests')::bigint - coalesce(sum(p.used), 0),
      at + ((min(p.piece) + 1) * (w->>'piece_ms')::float8 + (w->>'ms')::float8 + hold_ms - at_ms) * interval '1 ms'
    from jsonb_array_elements(p_limits->'windows') as w
    left join ops.listing_window p on p.listing = p_listing and p.window_ms = (w->>'ms')::bigint
      and p.piece between floor((at_ms - (w->>'ms')::float8 - hold_ms) / (w->>'piece_ms')::float8)
        and floor((at_ms + (w->>'ms')::float8) / (w->>'piece_ms')::float8)
    group by w
  ) as l
  where l.requests is not null order by greatest(l.requests, 0), l.again desc limit 1;
  if allowed <= 0 then return; end if;
  -- Near the end of a limit few are given at a time, so that no process keeps what another could use.
  granted := least(p_wanted, case when allowed is not null then greatest(1, allowed / 50) end);

  if rate > 0 then
    -- Slower than allowed: a request may leave late, and any second still has no more than the limit.
    gap_ms := (p_limits->>'gap_ms')::float8;
    -- A slot further ahead comes from a clock that was set back.
    first_slot_ms := greatest(at_ms,
      case when here.next_slot_ms <= at_ms + ahead_ms + gap_ms then here.next_slot_ms end);
    granted := greatest(0, least(granted, 1 + floor((at_ms + ahead_ms - first_slot_ms) / gap_ms)::int));
    if granted = 0 then
      held_by := 'second'; again := at + (first_slot_ms - ahead_ms / 2 - at_ms) * interval '1 ms';
      return;
    end if;
    here.next_slot_ms := first_slot_ms + granted * gap_ms;
  end if;

  held_by := null; detail := null; again := null;
  month_used := here.used + granted; month_reported := here.quota_limit;
  month_ends_ms := case when p_played_at is null then extract(epoch from here.month_ends_at) * 1000 end;
  update ops.stop s set probe_until = clock + (p_limits->>'probe_ms')::float8 * interval '1 ms'
  where is_probe and (s.scope, s.scope_id) in (('key', p_key), ('listing', p_listing));
  update ops.listing l set
    host = p_limits->>'host', next_slot_ms = here.next_slot_ms, used = month_used,
    month_starts_at = here.month_starts_at, month_ends_at = here.month_ends_at, quota_resets_at = here.quota_resets_at,
    quota_remaining = case
      when here.quota_key = p_key then greatest(0, here.quota_remaining - granted) else here.quota_remaining end
  where l.listing = p_listing;
  update ops.run_budget b set reserved = b.reserved + granted where b.run_id = p_run;
  insert into ops.listing_window as p (listing, window_ms, piece, used)
  select p_listing, (w->>'ms')::bigint, floor(at_ms / (w->>'piece_ms')::float8), granted
  from jsonb_array_elements(p_limits->'windows') as w
  on conflict on constraint listing_window_listing_window_ms_piece_pk do update set used = p.used + excluded.used;
  delete from ops.listing_window p using jsonb_array_elements(p_limits->'windows') as w
  where p.listing = p_listing and p.window_ms = (w->>'ms')::bigint
    and p.piece < floor((at_ms - 2 * p.window_ms - 60000) / (w->>'piece_ms')::float8);
end
$$;
