-- Requests that were reserved and certainly never went out are counted no more, once however often it is told: in what was spent,
-- in the month that counts them and in the windows their process counts (p_window_ms, in pieces of p_piece_ms).
create function ops.give_back_requests(
  p_listing text, p_writer uuid, p_number integer, p_now timestamptz,
  p_at timestamptz[], p_at_ms double precision[], p_hours timestamptz[], p_endpoints text[], p_regions text[], p_runs integer[],
  p_weights integer[], p_costs numeric[],
  p_window_ms double precision[], p_piece_ms double precision[]
) returns void language plpgsql volatile as $$
declare
  given record;
begin
  -- First, as who waits here for a run to be published must hold nothing that others reserve by.
  perform from ops.run r where r.run_id = any(p_runs) order by r.run_id for no key update;
  -- In the order in which requests are reserved.
  perform from ops.listing_pace p where p.listing = p_listing for update;
  perform from ops.listing_quota q where q.listing = p_listing for update;
  perform pg_advisory_xact_lock_shared(hashtext('pricebook reserve requests'), hashtext(p_listing));
  insert into ops.spend_write as w (writer, number, written_at) values (p_writer, p_number, p_now)
  on conflict (writer) do update set number = excluded.number, written_at = excluded.written_at where w.number < excluded.number;
  if not found then return; end if;

  update ops.listing_quota q
  set used = greatest(0, q.used - (
    -- A month that has begun since may count them with the hour in which it began: there they stay.
    select coalesce(sum(r.weight), 0) from unnest(p_at, p_weights) as r (at, weight) where r.at >= q.starts_at))
  where q.listing = p_listing;

  update ops.listing_window w set used = greatest(0, w.used - r.weight)
  from (
    select t.ms, floor(k.at_ms / t.piece_ms) as piece, sum(k.weight) as weight
    from unnest(p_window_ms, p_piece_ms) as t (ms, piece_ms), unnest(p_at_ms, p_weights) as k (at_ms, weight)
    group by 1, 2
  ) as r
  where w.listing = p_listing and w.window_ms = r.ms::bigint and w.piece = r.piece;

  for given in
    select k.hour, k.endpoint, k.region, k.run_id, count(*) as requests, sum(k.weight) as units, sum(k.cost) as cost
    from unnest(p_hours, p_endpoints, p_regions, p_runs, p_weights, p_costs) as k (hour, endpoint, region, run_id, weight, cost)
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
  loop
    update ops.spend s set
      sent = greatest(s.sent - given.requests, s.ok + s.failed + s.refused + s.rate_limited + s.quota + s.denied + s.aborted),
      units = greatest(s.units - given.units, s.ok + s.failed + s.refused + s.rate_limited + s.quota + s.denied + s.aborted),
      cost = s.cost - coalesce(given.cost, 0)
    where s.listing = p_listing and s.hour = given.hour and s.endpoint = given.endpoint
      and s.region is not distinct from given.region and s.run_id is not distinct from given.run_id;
  end loop;

  -- Of a run that is over somebody else has counted them already: who reserved them was stopped for a while.
  update ops.run r set requests_spent = spent.sent
  from (select s.run_id, sum(s.sent) as sent from ops.spend s where s.run_id = any(p_runs) group by s.run_id) as spent
  where r.run_id = spent.run_id and r.requests_spent > spent.sent;
end
$$;
