-- Reserves requests of one listing, in the order given, against every limit it has, in one statement. Terms, all from the
-- process that asks: per_second (0: unlimited), windows ([ms, units, ms of a piece]), month_limit and month_reserve and month_day,
-- included and price and price_beyond and currency, caps (units of a run, in all and by stage), by_headers, hold_ms (how long
-- after its slot a request may still go out), ahead_ms (how far ahead slots are given), turn_ms (how long around the turn of a
-- month a request counts in both), trial_ms (how long a trial keeps others from trying), recheck_ms (how often one request sees
-- whether a used-up quota was raised), clock_error_ms (what was noted later than that from now was noted by a wrong clock), key (a
-- print of the key: refusals and quotas of another key do not stop it). What other
-- processes of the book count, a month or a window, this one counts as well, whether it was told of that limit or not: a command
-- that was started without the variable spends of the same quota. A window also counts what a clock
-- counted that was set back since, by up to the window's length.
create function ops.reserve_requests(
  p_listing text, p_at timestamptz,
  p_endpoints text[], p_regions text[], p_runs integer[], p_stages text[], p_weights integer[], p_vital boolean[],
  p_is_probe boolean, p_is_first boolean,
  p_departed_slots double precision[], p_departed_ms double precision[],
  p_terms jsonb,
  out at_ms double precision, out hour timestamptz,
  -- Of the first requests, in order: 'go', or why this one may not: 'month', 'run', 'stage'.
  out outcomes text[], out slots double precision[],
  -- What the rest wait for ('second', 'minute', 'hour', 'day', 'turn'), and when to ask again.
  out waits_for text, out again_ms double precision,
  -- When the month ends.
  out month_ends timestamptz,
  -- Why the listing is stopped; then there is no outcome, or that of the one trial that was let through.
  out stop text, out stop_until timestamptz, out stop_what text, out stop_failures integer,
  -- When the next request is let through to see whether a used-up quota was raised.
  out rechecked_at timestamptz,
  -- What each 'go' costs, to be given back with it.
  out request_costs text[]
) language plpgsql volatile as $$
declare
  rate constant float8 := coalesce((p_terms->>'per_second')::float8, 0);
  hold constant float8 := (p_terms->>'hold_ms')::float8;
  ahead constant float8 := (p_terms->>'ahead_ms')::float8;
  caps constant jsonb := nullif(p_terms->'caps', 'null');
  month_limit constant bigint := (p_terms->>'month_limit')::bigint;
  price constant numeric := (p_terms->>'price')::numeric;
  price_beyond constant numeric := (p_terms->>'price_beyond')::numeric;
  is_played constant boolean := p_at is not null;
  keeps_month constant boolean := month_limit is not null or price is not null;
  counts_month boolean := keeps_month;
  is_limited boolean := rate > 0 or keeps_month or caps is not null or jsonb_array_length(p_terms->'windows') > 0;
  -- A slot further away comes from a clock that was set back.
  furthest constant float8 := 16 * 60000;
  wanted integer := cardinality(p_endpoints);
  granted integer := 0;
  weight integer;
  -- Pace.
  spacing float8; in_window integer; window_ms float8;
  next_ms float8; sent float8[]; open_slots float8[]; slot float8; earliest float8;
  -- Windows of a minute and longer.
  w_ms float8[] := '{}'; w_limit integer[] := '{}'; w_piece float8[] := '{}'; w_used bigint[] := '{}';
  -- Month.
  quota ops.listing_quota; turn timestamptz; month_start timestamptz; month_end timestamptz; tail bigint; included bigint; beyond bigint;
  costs numeric[] := '{}';
  health ops.listing_health; refusal jsonb; noted_at timestamptz; latest timestamptz; is_own_quota boolean; may_try boolean;
  key constant text := coalesce(p_terms->>'key', '');
  trial constant interval := (p_terms->>'trial_ms')::float8 * interval '1 millisecond';
  recheck constant interval := coalesce((p_terms->>'recheck_ms')::float8, 3600000) * interval '1 millisecond';
  -- Who stopped the listing wrote until when by the clock of a process.
  asked_at constant timestamptz := coalesce((p_terms->>'asked_at')::timestamptz, p_at, clock_timestamp());
  used bigint;
begin
  outcomes := '{}'; slots := '{}';
  if not is_limited then
    is_limited := ops.is_counted(p_listing, coalesce(p_at, clock_timestamp()))
      or exists (select from ops.counted_windows(p_listing, p_terms));
  end if;
  if not is_limited then
    -- Whoever begins to count a month waits until this is committed, and then finds it in what was spent; or it has begun already.
    perform pg_advisory_xact_lock_shared(hashtext('pricebook reserve requests'), hashtext(p_listing));
    is_limited := ops.is_counted(p_listing, coalesce(p_at, clock_timestamp()));
  end if;
  if is_limited then
    loop
      select p.next_slot_ms, p.sent_ms, p.open_ms into next_ms, sent, open_slots
      from ops.listing_pace p where p.listing = p_listing for update;
      exit when found;
      insert into ops.listing_pace (listing) values (p_listing) on conflict do nothing;
    end loop;
  else
    -- No limit depends on it: a crash of the server may lose the count, of what has no outcome yet. 0.5 ms instead of 3.
    perform set_config('synchronous_commit', 'off', true);
  end if;
  -- Read under the lock: whoever waited for it is later than whoever held it.
  at_ms := ops.clock_ms();
  p_at := coalesce(p_at, to_timestamp(at_ms / 1000));
  hour := date_trunc('hour', p_at);

  select * into health from ops.listing_health h where h.listing = p_listing;
  if found then
    latest := asked_at + coalesce((p_terms->>'clock_error_ms')::float8, 60000) * interval '1 millisecond';
    is_own_quota := coalesce(health.quota_key = key, true);
    refusal := health.refused_keys -> key;
    if (refusal->>'at')::timestamptz <= latest then
      stop := 'denied'; stop_until := (refusal->>'until')::timestamptz; stop_what := refusal->>'what';
    elsif (health.state = 'failing' or (health.state = 'quota' and is_own_quota)) and coalesce(health.last_error_at <= latest, true) then
      stop := health.state; stop_until := health.paused_until; stop_what := health.last_error; noted_at := health.last_error_at;
    elsif (p_terms->>'by_headers')::boolean and health.quota_remaining <= 0 and is_own_quota and coalesce(health.quota_seen_at <= latest, true)
      -- A counter that does not say when it is reset is believed for an hour.
      and coalesce(health.quota_resets_at, health.quota_seen_at + interval '1 hour') > asked_at then
      stop := 'nothing_left'; stop_until := coalesce(health.quota_resets_at, health.quota_seen_at + interval '1 hour');
      noted_at := health.quota_seen_at;
    end if;
    if stop is not null then
      stop_failures := health.failures_in_a_row;
      p_is_first := stop <> 'nothing_left' and (p_is_first or (p_is_probe and stop = 'failing'));
      may_try := p_is_first or stop_until is null or stop_until <= asked_at;
      if stop in ('quota', 'nothing_left') then
        -- Nobody is told that a plan was changed.
        rechecked_at := greatest(noted_at, case when health.tried_at <= latest then health.tried_at end) + recheck;
        may_try := may_try or coalesce(rechecked_at <= asked_at, true);
      end if;
      if not may_try then return; end if;
      wanted := 1;
    end if;
  end if;

  if rate > 0 then
    -- 1.4 % slower than allowed keeps the achieved rate above 98 % of it; most of that lies between windows, so that requests
    -- which reach the upstream unequally fast stay below its limit.
    spacing := 1000 / rate * 1.014;
    in_window := least(greatest(floor(rate), 1), 100);
    window_ms := in_window / rate * 1000 * 1.012;
    if not next_ms <= at_ms + furthest then next_ms := at_ms; end if;
    sent := array(
      select coalesce(d.ms, s.ms) from (
        select ms, null::float8 as told from unnest(sent) as s (ms)
        union all
        select ms, ms from unnest(open_slots) as s (ms)
      ) as s
      left join unnest(p_departed_slots, p_departed_ms) as d (slot, ms) on d.slot = s.told
      where (s.told is null or d.slot is not null) and coalesce(d.ms, s.ms) between at_ms - window_ms - 2 * hold and at_ms + furthest);
    open_slots := array(
      select s.ms from unnest(open_slots) as s (ms)
      where s.ms <> all (p_departed_slots) and s.ms between at_ms - window_ms - 2 * hold and at_ms + furthest);
  end if;

  counts_month := keeps_month or (is_limited and ops.is_counted(p_listing, p_at));
  if counts_month then
    turn := ops.month_turn(p_at, (p_terms->>'month_day')::int);
    month_start := case when p_at < turn then ops.month_turn(date_trunc('month', p_at) - interval '1 day', (p_terms->>'month_day')::int) else turn end;
    month_end := case when p_at < turn then turn else ops.month_turn(date_trunc('month', p_at) + interval '1 month', (p_terms->>'month_day')::int) end;
    select * into quota from ops.listing_quota q where q.listing = p_listing for update;
    if not found then
      insert into ops.listing_quota (listing, starts_at, ends_at, used) values (p_listing, 'epoch', 'epoch', 0)
      on conflict do nothing;
      select * into quota from ops.listing_quota q where q.listing = p_listing for update;
    end if;
    if not (quota.starts_at <= p_at and p_at < quota.ends_at) then
      perform pg_advisory_xact_lock(hashtext('pricebook reserve requests'), hashtext(p_listing));
      -- A month that is known to have ended (the upstream may have told when) is where the next begins.
      if quota.ends_at > month_start and quota.ends_at <= p_at then month_start := quota.ends_at; end if;
      quota.used_before := case when quota.ends_at = month_start then quota.used + quota.used_by_others else 0 end;
      select coalesce(sum(s.units), 0) into quota.used from ops.spend s
      where s.listing = p_listing and s.hour >= date_trunc('hour', month_start) and s.hour < month_end;
      -- What went out as the month turned may have arrived in the new one.
      select coalesce(sum(w.used), 0) into tail from ops.listing_window w
      where w.listing = p_listing and w.window_ms = (p_terms->>'turn_ms')::bigint
        and w.piece >= floor((extract(epoch from month_start) * 1000 - w.window_ms) / (p_terms->>'turn_piece_ms')::float8);
      if quota.used_before > 0 and not is_played then quota.used := greatest(quota.used, tail); end if;
      quota.used_by_others := 0;
      quota.starts_at := month_start; quota.ends_at := month_end;
    end if;
    month_ends := quota.ends_at;
    included := coalesce((p_terms->>'included')::bigint, health.quota_limit);
  end if;

  -- A piece that reaches into the window counts whole, and what was reserved in it may have gone out a little later.
  -- One ahead of now, by no more than the window, was counted by a clock that was set back since: what it counts has been spent.
  select coalesce(array_agg(ms), '{}'), coalesce(array_agg(units), '{}'), coalesce(array_agg(piece_ms), '{}'),
    coalesce(array_agg((
      select coalesce(sum(w.used), 0) from ops.listing_window w
      where w.listing = p_listing and w.window_ms = t.ms::bigint
        and w.piece between floor((at_ms - t.ms - hold - ahead) / t.piece_ms) and floor((at_ms + greatest(furthest, t.ms)) / t.piece_ms))), '{}')
  into w_ms, w_limit, w_piece, w_used
  from (
    select (t->>0)::float8 as ms, (t->>1)::int as units, (t->>2)::float8 as piece_ms
    from jsonb_array_elements(p_terms->'windows') as t
    union all
    select ms, null, piece_ms from ops.counted_windows(p_listing, p_terms) where is_limited
    order by 1
  ) as t;

  for i in 1 .. wanted loop
    if not is_limited then
      outcomes := outcomes || array_fill('go'::text, array[wanted]);
      costs := array_fill(null::numeric, array[wanted]);
      granted := wanted;
      exit;
    end if;
    weight := p_weights[i];

    if caps is not null and p_runs[i] is not null then
      select coalesce(sum(s.units), 0) + coalesce((
          select sum(p_weights[j]) from generate_subscripts(outcomes, 1) as j
          where outcomes[j] = 'go' and p_runs[j] = p_runs[i]), 0)
      into used from ops.spend s where s.run_id = p_runs[i];
      if used + weight > (caps->>'total')::bigint then
        outcomes := outcomes || 'run'::text; slots := slots || null::float8; costs := costs || null::numeric;
        continue;
      end if;
      if caps ? p_stages[i] then
        select coalesce(sum(s.units), 0) + coalesce((
            select sum(p_weights[j]) from generate_subscripts(outcomes, 1) as j
            where outcomes[j] = 'go' and p_runs[j] = p_runs[i] and p_stages[j] = p_stages[i]), 0)
        into used from ops.spend s
        where s.run_id = p_runs[i] and s.endpoint in (select jsonb_array_elements_text(p_terms->'stages'->p_stages[i]));
        if used + weight > (caps->>p_stages[i])::bigint then
          outcomes := outcomes || 'stage'::text; slots := slots || null::float8; costs := costs || null::numeric;
          continue;
        end if;
      end if;
    end if;

    if month_limit is not null then
      if quota.used + quota.used_by_others + weight
        > month_limit - (case when p_vital[i] then 0 else (p_terms->>'month_reserve')::bigint end) then
        outcomes := outcomes || 'month'::text; slots := slots || null::float8; costs := costs || null::numeric;
        continue;
      end if;
    end if;
    -- What goes out as the month has just turned may still be counted in the old one.
    if counts_month and not is_played and quota.used_before > 0
      and p_at < quota.starts_at + (p_terms->>'turn_ms')::float8 * interval '1 millisecond' then
      if quota.used_before + weight > month_limit then
        waits_for := 'turn';
        again_ms := at_ms + extract(epoch from quota.starts_at - p_at) * 1000 + (p_terms->>'turn_ms')::float8;
        exit;
      end if;
      quota.used_before := quota.used_before + weight;
    end if;

    for j in 1 .. cardinality(w_ms) loop
      if w_limit[j] is not null and w_used[j] + weight > greatest(w_limit[j], weight) then
        waits_for := case when w_ms[j] < 3600000 then 'minute' when w_ms[j] < 86400000 then 'hour' else 'day' end;
        select (min(w.piece) + 1) * w_piece[j] + w_ms[j] + hold + ahead into again_ms from ops.listing_window w
        where w.listing = p_listing and w.window_ms = w_ms[j]::bigint and w.used > 0
          and w.piece >= floor((at_ms - w_ms[j] - hold - ahead) / w_piece[j]);
      end if;
    end loop;
    exit when waits_for is not null;

    if rate > 0 then
      weight := least(weight, in_window);
      -- A little behind its schedule, it catches up; after a pause there is nothing to catch up with.
      if next_ms < at_ms - spacing then next_ms := at_ms; end if;
      select greatest(at_ms, next_ms, max(ms) + spacing / 2) into earliest
      from unnest(sent || open_slots) as s (ms);
      -- By what is known of those under way, and if each goes out as late as it may.
      slot := greatest(earliest, hold + window_ms + (
        select ms from unnest(array(select ms - hold from unnest(sent) as s (ms)) || open_slots) as s (ms)
        order by ms desc offset in_window - weight limit 1));
      if slot > at_ms + ahead then
        waits_for := 'second';
        earliest := greatest(earliest, window_ms + (
          select ms from unnest(sent || open_slots) as s (ms) order by ms desc offset in_window - weight limit 1));
        -- Where only those under way stand in between, it is told soon when they went out.
        again_ms := greatest(earliest - ahead / 2, at_ms + 50);
        exit;
      end if;
      open_slots := open_slots || array_fill(slot, array[weight]);
      next_ms := next_ms + spacing * weight;
      weight := p_weights[i];
    else
      slot := at_ms;
    end if;

    if counts_month then
      beyond := least(weight, greatest(0, quota.used + quota.used_by_others + weight - included));
      costs := costs || case
        when price is null then null
        when coalesce(beyond, 0) > 0 then (weight - beyond) * price / nullif(included, 0) + beyond * price_beyond
        when price = 0 then 0
        else weight * price / nullif(included, 0)
      end;
      quota.used := quota.used + weight;
    else
      costs := costs || null::numeric;
    end if;
    for j in 1 .. cardinality(w_ms) loop w_used[j] := w_used[j] + weight; end loop;
    outcomes := outcomes || 'go'::text; slots := slots || slot;
    granted := granted + 1;
  end loop;

  if granted > 0 and stop is not null then
    -- A trial keeps others from trying, whatever stopped the listing.
    update ops.listing_health h set
      paused_until = case when stop in ('quota', 'failing') then greatest(h.paused_until, asked_at + trial) else h.paused_until end,
      refused_keys = case when stop = 'denied'
        then jsonb_set(h.refused_keys, array[key, 'until'], to_jsonb(greatest((h.refused_keys->key->>'until')::timestamptz, asked_at + trial)))
        else h.refused_keys end,
      tried_at = case when stop in ('quota', 'nothing_left') then asked_at else h.tried_at end
    where h.listing = p_listing and case stop
      when 'denied' then h.refused_keys ? key and (p_is_first or (h.refused_keys->key->>'until')::timestamptz <= asked_at)
      when 'failing' then h.state = 'failing' and (p_is_first or h.paused_until is null or h.paused_until <= asked_at)
      when 'quota' then h.state = 'quota' and (p_is_first or h.paused_until is null or h.paused_until <= asked_at
        or h.tried_at is null or h.tried_at > latest or h.tried_at + recheck <= asked_at)
      else h.tried_at is null or h.tried_at > latest or h.tried_at + recheck <= asked_at
    end;
    if not found then
      -- Another process tries at this moment, or it was opened: nothing is kept of this.
      outcomes := '{}'; slots := '{}';
      return;
    end if;
  end if;

  if rate > 0 and (granted > 0 or cardinality(p_departed_slots) > 0) then
    update ops.listing_pace p set next_slot_ms = next_ms, sent_ms = sent, open_ms = open_slots where p.listing = p_listing;
  end if;
  if counts_month then
    update ops.listing_quota q
    set starts_at = quota.starts_at, ends_at = quota.ends_at, used = quota.used, used_before = quota.used_before,
      used_by_others = quota.used_by_others
    where q.listing = p_listing
      and (q.starts_at, q.ends_at, q.used, q.used_before) is distinct from (quota.starts_at, quota.ends_at, quota.used, quota.used_before);
  end if;
  if granted = 0 then return; end if;
  request_costs := costs::text[];

  for j in 1 .. cardinality(w_ms) loop
    insert into ops.listing_window as w (listing, window_ms, piece, used)
    select p_listing, w_ms[j]::bigint, floor(at_ms / w_piece[j]), sum(p_weights[k])
    from generate_subscripts(outcomes, 1) as k where outcomes[k] = 'go'
    on conflict on constraint listing_window_listing_window_ms_piece_pk do update set used = w.used + excluded.used;
    delete from ops.listing_window w
    where w.listing = p_listing and w.window_ms = w_ms[j]::bigint
      and w.piece < floor((at_ms - 2 * w_ms[j] - hold - ahead) / w_piece[j]);
  end loop;

  insert into ops.spend as s (listing, hour, endpoint, region, run_id, sent, units, cost, currency)
  select p_listing, reserve_requests.hour, k.endpoint, k.region, k.run_id, count(*), sum(k.weight),
    case when bool_and(k.cost is not null) then sum(k.cost) end, p_terms->>'currency'
  from unnest(p_endpoints, p_regions, p_runs, p_weights, outcomes, costs) as k (endpoint, region, run_id, weight, outcome, cost)
  where k.outcome = 'go'
  group by k.endpoint, k.region, k.run_id
  order by k.endpoint, k.region, k.run_id
  on conflict on constraint spend_once_an_hour do update set
    sent = s.sent + excluded.sent, units = s.units + excluded.units, cost = s.cost + excluded.cost, currency = excluded.currency;
end
$$;
