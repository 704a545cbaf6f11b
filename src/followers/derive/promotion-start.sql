-- Prices known when a promotion began (src/db/tables/derived.ts). A promotion begins with the first certified
-- night on which it is in effect; earlier data never change afterwards, so each night only adds rows.

-- forget
delete from derived.promotion_start where region = :region and snapshot_date >= :from;

-- derive
-- By the number of nights before, and where the 30 days before a promotion begin: one night earlier, because the
-- preceding night may have the promotion's start date.
create temporary table counted_night on commit drop as
select night_no - 1 as night_no, snapshot_date, observed_at,
  lag(observed_at, 1, '-infinity') over nights as before_at,
  lag(snapshot_date, 1, '-infinity') over nights as before_date,
  coalesce(lag(observed_at, 31) over nights, '-infinity') as back_to
from derived_night
window nights as (order by night_no);
analyze counted_night;

-- 1. Promotions by the first certified night with the product listed --------------------------------------------------
-- The start lies between that night and the previous certified one: the announced date if it falls there, otherwise
-- when the promotion was first seen in effect. Several starts of one product are handled in turns.
create temporary table started on commit drop as
select carried.product_key, carried.promotion_key, carried.valid_from as seen_from, night.night_no, night.snapshot_date,
  dense_rank() over (partition by carried.product_key order by night.night_no) as turn,
  case
    when (o.starts_at at time zone :zone)::date > night.before_date then (o.starts_at at time zone :zone)::date
    when o.starts_at > carried.valid_from then (carried.seen_at at time zone :zone)::date
    else (carried.valid_from at time zone :zone)::date
  end as began_on,
  o.kind = 'loyalty_unit_price' as is_by_unit, o.loyalty_unit_measure, price.price_minor,
  case when price.unit_of_measure = o.loyalty_unit_measure then price.unit_price end as unit_price,
  case
    when o.kind = 'loyalty_price' then o.loyalty_price_minor * 0.01
    when o.kind = 'loyalty_unit_price' then o.loyalty_unit_price
    when o.kind = 'price_cut' and o.now_price_minor > price.price_minor then null -- the price of another unit
    when o.kind = 'price_cut' and num_nonnulls(o.was_price_minor, o.saving_minor, o.save_percent) > 0
      then coalesce(o.now_price_minor, price.price_minor) * 0.01
    when o.kind = 'save_percent' and o.quantity is null and o.offer_type is distinct from 'CLUBCARD_PRICING'
      then price.price_minor * 0.01
    when o.kind = 'save_percent' and o.quantity is null
      then round(price.price_minor * (100 - o.save_percent) / 100) * 0.01
  end as reduced_price
from (
  select distinct on (seen.product_key, seen.promotion_key, seen.valid_from) seen.*, night.night_no
  from (
    select product_key, promotion_key, valid_from, valid_to, valid_from as seen_at
    from catalog.product_promotion
    where valid_from > :before and valid_from <= :last
    union all
    select pp.product_key, pp.promotion_key, pp.valid_from, pp.valid_to, early.starts_at
    from catalog.promotion early
    join catalog.product_promotion pp using (promotion_key)
    where early.region = :region and early.starts_at > :before and early.starts_at <= :last
      and pp.valid_from < early.starts_at
    union all
    -- Products that were gone when the promotion began and are listed again.
    select pp.product_key, pp.promotion_key, pp.valid_from, pp.valid_to, back.valid_from
    from catalog.availability_history away
    join catalog.availability_spell back on back.product_key = away.product_key and back.valid_from = away.valid_to
    join catalog.product_promotion pp on pp.product_key = back.product_key and pp.valid_from < back.valid_from
    where away.availability in ('absent', 'delisted') and away.valid_to > :before and away.valid_to <= :last
      and not exists (
        select from derived.promotion_start known
        where known.product_key = pp.product_key and known.promotion_key = pp.promotion_key
          and known.seen_from = pp.valid_from)
  ) as seen
  join counted_night night on night.night_no = width_bucket(seen.seen_at - interval '1 microsecond', :instants)
    and (seen.valid_to is null or seen.valid_to > night.observed_at)
  join catalog.promotion o on o.promotion_key = seen.promotion_key and o.region = :region
    and (o.starts_at is null or o.starts_at <= night.observed_at)
    and (o.ends_at is null or o.ends_at > night.observed_at)
  join catalog.product_current now on now.product_key = seen.product_key
  -- The history is read only where the present spell began later.
  where case
      when now.availability_since <= night.observed_at then now.availability
      else (
        select former.availability from catalog.availability_history former
        where former.product_key = seen.product_key and former.valid_from <= night.observed_at
        order by former.valid_from desc
        limit 1)
    end not in ('absent', 'delisted')
  order by seen.product_key, seen.promotion_key, seen.valid_from, night.night_no, seen.seen_at desc
) as carried
join counted_night night using (night_no)
join catalog.promotion o using (promotion_key)
join catalog.product_current now on now.product_key = carried.product_key
left join lateral (
  select former.* from catalog.price_history former
  where now.price_since > night.observed_at
    and former.product_key = carried.product_key and former.valid_from <= night.observed_at
  order by former.valid_from desc
  limit 1
) as former on former.valid_to > night.observed_at
cross join lateral (
  select now.price_minor, now.unit_price, now.unit_of_measure where now.price_since <= night.observed_at
  union all
  select former.price_minor, former.unit_price, former.unit_of_measure
  where (now.price_since <= night.observed_at) is not true
) as price;
analyze started;

-- 2. Prices on the nights of the 30 days before -----------------------------------------------------------------------
-- One row per price: the nights on which the product was listed at it, and those of them that are in the 30 days.
create temporary table known_price on commit drop as
select product_key, promotion_key, seen_from, began_on, price, first_no, end_no,
  greatest(first_no, month_no) as from_no, least(end_no, began_no) as until_no
from (
  select s.*,
    case
      when not s.is_by_unit then price.price_minor * 0.01
      when price.unit_of_measure = s.loyalty_unit_measure then price.unit_price
    end as price,
    width_bucket(greatest(price.valid_from, listed.valid_from) - interval '1 microsecond', :instants) as first_no,
    least(width_bucket(least(price.valid_to, listed.valid_to) - interval '1 microsecond', :instants), s.night_no + 1)
      as end_no
  from (
    select product_key, promotion_key, seen_from, began_on, night_no, is_by_unit, loyalty_unit_measure,
      least(width_bucket(began_on - 1, :dates), night_no) as began_no,
      least(width_bucket(began_on - 31, :dates), night_no) as month_no
    from started
    -- Nothing precedes the first night.
    where night_no > 0
  ) as s
  join counted_night night on night.night_no = s.night_no
  cross join lateral catalog.price_spells(s.product_key, night.back_to, night.observed_at) as price
  cross join lateral catalog.availability_spells(s.product_key, night.back_to, night.observed_at) as listed
  where price.price_minor is not null and listed.availability in ('available', 'unavailable')
    and (least(price.valid_to, listed.valid_to) > greatest(price.valid_from, listed.valid_from)) is not false
) as span;
analyze known_price;

-- Summed up in an analysed table: the planner underestimates a joined subquery and would compare promotions row by row.
create temporary table month_before on commit drop as
select product_key, promotion_key, seen_from, min(price) as lowest_price, sum(until_no - from_no) as nights
from known_price
where until_no > from_no and price is not null
group by product_key, promotion_key, seen_from;

-- Lost nights between certified ones with the same price are known, unless a run in between showed another price.
create temporary table lost_before on commit drop as
select product_key, promotion_key, seen_from, sum(nights) as nights
from (
  select k.product_key, k.promotion_key, k.seen_from,
    min(least(night.snapshot_date, k.began_on) - greatest(night.before_date + 1, k.began_on - 30)) as nights
  from known_price k
  join counted_night night on night.night_no between k.first_no and k.end_no
    and night.before_date + 1 < night.snapshot_date and night.before_date + 1 < k.began_on
    and night.snapshot_date > k.began_on - 30
  where k.price is not null and not exists (
    select from catalog.offer_history seen
    where seen.product_key = k.product_key and seen.loyalty_price_minor is not null
      and seen.valid_from > night.before_at and seen.valid_to <= night.observed_at)
  group by k.product_key, k.promotion_key, k.seen_from, night.night_no
  having min(k.price) = max(k.price) and min(k.first_no) < night.night_no and max(k.end_no) > night.night_no
) as lost
group by product_key, promotion_key, seen_from;

-- Lowest loyalty price, per product or per unit, on those nights.
create temporary table members_before on commit drop as
select k.product_key, k.promotion_key, k.seen_from, min(offer.price) as lowest_price
from known_price k
join started s using (product_key, promotion_key, seen_from)
join counted_night night on night.night_no = s.night_no
cross join lateral (
  select loyalty_price_minor * 0.01 as price, valid_from, valid_to
  from catalog.offer_spells(s.product_key, night.back_to, night.before_at)
  where not s.is_by_unit
  union all
  select o.loyalty_unit_price, greatest(pp.valid_from, o.starts_at), least(pp.valid_to, o.ends_at)
  from catalog.product_promotion pp
  join catalog.promotion o using (promotion_key)
  where s.is_by_unit and pp.product_key = s.product_key and pp.valid_from <= night.before_at
    and o.kind = 'loyalty_unit_price' and o.loyalty_unit_measure = s.loyalty_unit_measure
) as offer
where s.reduced_price is not null and offer.price is not null and k.until_no > k.from_no
  and greatest(least(width_bucket(offer.valid_from - interval '1 microsecond', :instants), s.night_no), k.from_no)
    < least(width_bucket(offer.valid_to - interval '1 microsecond', :instants), s.night_no, k.until_no)
group by k.product_key, k.promotion_key, k.seen_from;
analyze month_before, lost_before, members_before;

-- 3. Rows, one turn after the other -----------------------------------------------------------------------------------
-- A reduction that directly follows another one and is at least as large continues its series; its prior price is that
-- before the first. Whether a promotion passes the check of a price before it is stored, because pages count tens of
-- thousands of them. "offset 0" computes a value once for all that use it, or makes the planner find the product's few
-- promotions first.
do $$
begin
  for nth in 1..coalesce((select max(turn) from started), 0) loop
    insert into derived.promotion_start (product_key, promotion_key, seen_from, snapshot_date, began_on, price_minor,
      unit_price, reduced_price, series_began_on, prior_price, prior_member_price, prior_nights_known,
      prior_nights_lost, region, reference_price, announced_pct, real_pct, depth_from, prior_price_check,
      prior_price_reason, verdict_label, member_price_check)
    select start.*, :region, reference_price, round(100 * announced_depth, 2),
      round(100 * (1 - start.reduced_price / nullif(compared_price, 0)), 2),
      -- greatest and least ignore nulls, so promotions without a depth are excluded first.
      case when announced_depth is not null then greatest(least(floor(10 * announced_depth) * 10, 70), -10) end,
      prior_price_check, coalesce(prior_price_reason, case when verdict_label is null then 'nights_missing' end),
      verdict_label, member_price_check
    from (
      select s.product_key, s.promotion_key, s.seen_from, s.snapshot_date, s.began_on, s.price_minor, s.unit_price,
        s.reduced_price, prior.*
      from started s
      left join month_before month using (product_key, promotion_key, seen_from)
      left join lost_before lost using (product_key, promotion_key, seen_from)
      left join members_before members using (product_key, promotion_key, seen_from)
      left join lateral (
        select earlier.series_began_on, earlier.prior_price, earlier.prior_member_price, earlier.prior_nights_known,
          earlier.prior_nights_lost
        from (
          select * from catalog.product_promotion
          where product_key = s.product_key and (valid_to is null or (valid_to at time zone :zone)::date >= s.began_on)
          offset 0
        ) as carried
        join derived.promotion_start earlier
          on earlier.product_key = carried.product_key and earlier.promotion_key = carried.promotion_key
          and earlier.seen_from = carried.valid_from
        join catalog.promotion o on o.promotion_key = carried.promotion_key
        where s.reduced_price is not null and exists (select from derived.promotion_start where region = :region)
          and earlier.snapshot_date < s.snapshot_date
          and (o.kind = 'loyalty_unit_price') = s.is_by_unit and earlier.reduced_price >= s.reduced_price
          and (o.ends_at is null
            or ((o.ends_at - interval '1 microsecond') at time zone :zone)::date + 1 >= s.began_on)
        order by earlier.series_began_on, earlier.snapshot_date, earlier.promotion_key
        limit 1
      ) as series on true
      left join lateral (
        select series.* where series.series_began_on is not null
        union all
        -- A member who buys without the offer pays the shelf price.
        select s.began_on, month.lowest_price, least(month.lowest_price, members.lowest_price),
          coalesce(month.nights, 0) + coalesce(lost.nights, 0),
          -- Lost nights that are not known; none precedes the book.
          greatest(0, least(30, s.began_on - (:dates)[1]) - coalesce(lost.nights, 0)
            - (width_bucket(s.began_on - 1, :dates) - width_bucket(s.began_on - 31, :dates)))
        where series.series_began_on is null
      ) as prior on s.reduced_price is not null
      where s.turn = nth
    ) as start
    join catalog.promotion o on o.promotion_key = start.promotion_key
    cross join lateral (
      select
        coalesce(
          o.was_price_minor * 0.01,
          case o.kind
            when 'loyalty_price' then start.price_minor * 0.01
            when 'loyalty_unit_price' then start.unit_price
            when 'price_cut' then start.reduced_price + o.saving_minor * 0.01
            when 'save_percent' then case when o.offer_type = 'CLUBCARD_PRICING' then start.price_minor * 0.01 end
          end) as reference_price,
        case
          when o.kind = 'unknown' then 'text_not_understood'
          when o.kind in ('multibuy', 'n_for_m', 'meal_deal') or o.quantity is not null then 'deal_on_several'
          when o.kind = 'price_cut' and num_nonnulls(o.was_price_minor, o.saving_minor, o.save_percent) = 0
            then 'no_reduction_stated'
          when o.kind = 'loyalty_unit_price' and start.unit_price is null then 'no_comparable_unit_price'
          when start.reduced_price is null then 'price_not_stated'
        end as prior_price_reason
      offset 0
    ) as announced
    -- The lowest price for anyone; without a known night, the price that the offer itself compares with.
    cross join lateral (
      select 1 - start.reduced_price / nullif(announced.reference_price, 0) as announced_depth,
        case when prior_price_reason is null
          then coalesce(start.prior_member_price, reference_price) end as compared_price
      offset 0
    ) as offered
    -- The stated percentage alone counts, and may be a point or half a penny too high.
    cross join lateral (
      select case
          when prior_price_reason is not null then null
          when start.reduced_price >= compared_price then 'no reduction'
          when coalesce(o.save_percent, 100 * announced_depth) >
            100 * (1 - start.reduced_price / nullif(compared_price, 0)) + greatest(1, 0.5 / nullif(compared_price, 0))
            then 'overstated'
          when start.prior_nights_known >= 30 then 'real'
          when start.prior_nights_known + start.prior_nights_lost < 30 then 'too early to tell'
        end as verdict_label
      offset 0
    ) as judgement
    -- Unknown nights could only lower the price before. The percentage may be rounded by half a point or the price by
    -- half a penny, whichever is more.
    cross join lateral (
      select max(verdict) filter (where basis = 'shelf') as prior_price_check,
        max(verdict) filter (where basis = 'member') as member_price_check
      from (values ('shelf', start.prior_price), ('member', start.prior_member_price)) as before (basis, prior)
      cross join lateral (
        select case
            when prior_price_reason is not null then null
            when start.reduced_price >= prior or reference_price > prior
              or o.save_percent > (100 * (prior - start.reduced_price) + greatest(0.5, 0.5 * prior)) / nullif(prior, 0)
              then 'fail'
            when start.prior_nights_known >= 30 then 'pass'
            else 'not_enough_nights'
          end as verdict
      ) as judged
    ) as checked
    order by start.snapshot_date, start.product_key, start.promotion_key;
  end loop;
end $$;
