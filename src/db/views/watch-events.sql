-- Runs with its owner's rights: it reads the histories at the instants of certified runs, which is ten times as fast as
-- with the marts. All rules are evaluated at once.
create function marts.watch_events(
  product_keys integer[],
  rules text[],
  amounts numeric[],
  since date default null,
  until date default null
)
returns table (
  place bigint,
  snapshot_date date,
  region text,
  product_id text,
  product_key integer,
  title text,
  rule text,
  amount numeric,
  event text,
  price numeric,
  currency text
)
language sql
stable
parallel safe
security definer
set search_path = pg_catalog
set work_mem = '64MB'
set jit = off
begin atomic
  with watched as materialized (
    select given.place, given.rule, given.amount, p.region, p.product_id, p.product_key, p.title, r.currency,
      case r.currency when 'GBP' then '£' else '€' end as symbol
    from unnest(watch_events.product_keys, watch_events.rules, watch_events.amounts) with ordinality
      as given (product_key, rule, amount, place)
    join catalog.product p on p.product_key = given.product_key
    join catalog.region r on r.region = p.region
  ), night as materialized (
    select n.region, n.snapshot_date, run.observed_at,
      lag(n.snapshot_date) over (partition by n.region order by n.snapshot_date) as night_before
    from derived.night n
    join ops.run run on run.run_id = n.run_id
  ), sold as materialized (
    -- Certified nights on which a product was for sale at a price, with what was known before.
    select nights.*,
      lag(nights.snapshot_date) over product as sold_before, lag(nights.paid) over product as paid_before,
      min(nights.snapshot_date) over year_before as known_since, min(nights.paid) over year_before as lowest_before
    from (
      select chosen.product_key, night.snapshot_date, night.night_before,
        (least(price.price_minor, offer.loyalty_price_minor) * 0.01)::numeric(12, 2) as paid,
        case when offer.loyalty_price_minor < price.price_minor then ' for members' else '' end as payer
      from (select distinct watched.region, watched.product_key from watched) as chosen
      join night on night.region = chosen.region
      join catalog.availability_spell state
        on state.product_key = chosen.product_key and state.availability = 'available'
        and state.valid_from <= night.observed_at and (state.valid_to is null or state.valid_to > night.observed_at)
      join catalog.price_spell price
        on price.product_key = chosen.product_key and price.price_minor is not null
        and price.valid_from <= night.observed_at and (price.valid_to is null or price.valid_to > night.observed_at)
      left join catalog.offer_spell offer
        on offer.product_key = chosen.product_key
        and offer.valid_from <= night.observed_at and (offer.valid_to is null or offer.valid_to > night.observed_at)
    ) as nights
    window product as (partition by nights.product_key order by nights.snapshot_date),
      year_before as (product range between interval '365 days' preceding and interval '1 day' preceding)
  ), came_true as (
    select watched.place, sold.snapshot_date,
      case watched.rule
        when 'below' then watched.symbol || sold.paid || sold.payer || ', at or below ' || watched.symbol
          || round(watched.amount, 2) || coalesce('; before ' || watched.symbol || sold.paid_before, '; new') || '.'
        when 'lowest' then watched.symbol || sold.paid || sold.payer || ', the lowest price since '
          || sold.known_since || '; until now ' || watched.symbol || sold.lowest_before || '.'
        else 'For sale again at ' || watched.symbol || sold.paid || sold.payer || ', after '
          || sold.snapshot_date - sold.sold_before || ' days.'
      end as event
    from watched
    join sold on sold.product_key = watched.product_key
    where case watched.rule
      when 'below' then sold.night_before is not null and sold.paid <= watched.amount
        and (sold.paid_before > watched.amount or sold.paid_before is null)
      when 'lowest' then sold.paid < sold.lowest_before
      when 'back' then sold.sold_before < sold.night_before
      else false
    end
    union all
    select watched.place, pack.confirmed_on,
      'The pack shrank from ' || trim_scale(pack.old_size) || ' to ' || trim_scale(pack.new_size) || ' ' || pack.measure
        || case when pack.product_key = watched.product_key then '.' else '; now sold as product ' || (
          select p.product_id from catalog.product p where p.product_key = pack.product_key) || '.' end
    from watched
    join derived.pack_change pack on watched.product_key in (pack.product_key, pack.former_product_key)
    where watched.rule = 'shrank' and pack.new_size < pack.old_size
    union all
    (
      -- Of several promotions that began on a night, the deepest.
      select distinct on (watched.place, start.snapshot_date) watched.place, start.snapshot_date,
        'A real reduction of ' || start.real_pct || ' % began: ' || promotion.description || '.'
      from watched
      join derived.promotion_start start on start.product_key = watched.product_key and start.verdict_label = 'real'
      join catalog.promotion promotion on promotion.promotion_key = start.promotion_key
      where watched.rule = 'discount'
      order by watched.place, start.snapshot_date, start.real_pct desc nulls last, start.promotion_key
    )
  )
  select distinct on (snapshot_date, place) watched.place, came_true.snapshot_date, watched.region, watched.product_id,
    watched.product_key, watched.title, watched.rule, watched.amount, came_true.event, sold.paid, watched.currency
  from came_true
  join watched on watched.place = came_true.place
  left join sold on sold.product_key = watched.product_key and sold.snapshot_date = came_true.snapshot_date
  where (watch_events.since is null or came_true.snapshot_date >= watch_events.since)
    and (watch_events.until is null or came_true.snapshot_date <= watch_events.until)
  order by snapshot_date, place, came_true.event;
end;

revoke execute on function marts.watch_events(integer[], text[], numeric[], date, date) from public;

comment on function marts.watch_events(integer[], text[], numeric[], date, date) is
  'Nights on which rules about products became true, from since to until: one row per rule (place in the lists, '
  'from 1) and night. rules: below (an amount or less), lowest (of up to a year), back (for sale again), shrank (pack '
  'change confirmed), discount (a promotion began that is a real reduction). Only certified nights count, and prices '
  'of nights on which the product was for sale, for everybody or for members; price is the lower one of that night. '
  'amounts are for below, otherwise null. The lists must have equal lengths.';
