import { regions } from '../../base/model/index.ts';
import { rowsOf } from '../../db/rows.ts';
import { loyaltyOfferType } from '../../source/normalise/promotion-text.ts';
import { certifiedNights } from './certified-nights.ts';
import type { Derivation } from './derivation.ts';
import { judged, judgedColumns } from './judge-prior-price.ts';

/** Number of certified nights before a promotion that determine its usual price. */
const usualNights = 56;
/** Number of nights to read: one more, because the preceding night may have the promotion's start date. */
const nightsBack = usualNights + 1;

/**
 * Prices known when a promotion began (see the table). A promotion begins with the first certified night on which it is
 * in effect; earlier data never change afterwards, so each night only adds rows.
 */
export const promotionStart: Derivation = {
  name: 'promotion_start',

  async forget(tx, region, from) {
    await tx.query('delete from derived.promotion_start where region = $1 and snapshot_date >= $2', [region, from]);
  },

  async derive(tx, { region, nights }, signal) {
    for (const table of ['counted_night', 'started', 'known_price', 'month_before', 'members_before', 'usual_price'])
      await tx.query(`drop table if exists pg_temp.${table}`);
    const all = await certifiedNights(tx, region);
    const first = all.findIndex(({ runId }) => runId === nights[0]!.runId);
    const counted = all.slice(Math.max(0, first - nightsBack), first + nights.length);
    const places = [counted.map(({ observedAt }) => observedAt), counted.map(({ snapshotDate }) => snapshotDate)];
    await tx.query(countNights, places);
    const { timeZone } = regions[region];
    await tx.query(collectStarted, [region, all[first - 1]?.observedAt ?? '-infinity', timeZone, places[0]]);
    await tx.query('analyze counted_night, started');
    signal?.throwIfAborted();
    await tx.query(collectKnownPrices, places);
    await tx.query('analyze known_price');
    for (const statement of sumUp) await tx.query(statement);
    await tx.query(collectMemberPrices, places.slice(0, 1));
    await tx.query('analyze members_before');
    const [last] = await rowsOf<{ turn: number | null }>(tx, 'select max(turn)::int as turn from started');
    for (let turn = 1; turn <= (last!.turn ?? 0); turn++) {
      signal?.throwIfAborted();
      await tx.query(insertStarts, [timeZone, turn, region]);
    }
  },
};

/** Nights to derive and preceding ones, numbered by position from 0. $1 instants, $2 dates. */
const countNights = `
  create temporary table counted_night on commit drop as
  select (place - 1)::int as night_no, snapshot_date, observed_at,
    lag(observed_at, 1, '-infinity') over by_place as before_at,
    lag(snapshot_date, 1, '-infinity') over by_place as before_date,
    coalesce(lag(observed_at, ${nightsBack}) over by_place, '-infinity') as back_to
  from unnest($1::timestamptz[], $2::date[]) with ordinality as night (observed_at, snapshot_date, place)
  window by_place as (order by place)`;

/** SQL: number of nights in a parameter that lie before an instant, which is also the index of the first later one. */
const instantsBefore = (instant: string, nights: string): string =>
  `width_bucket(${instant} - interval '1 microsecond', ${nights}::timestamptz[])`;

/** SQL: whether an availability spell means that the product was not listed. */
function notListed(spell: string): string {
  return `${spell}.availability in ('absent', 'delisted')`;
}

/**
 * Promotions by the first certified night with the product listed. The start lies between that night and the previous
 * certified one: the announced date if it falls there, otherwise when the promotion was first seen in effect. Several
 * starts of one product are handled in rounds. $1 region, $2 instant of the preceding certified night, $3 time zone, $4
 * instants of the counted nights.
 */
const collectStarted = `
  create temporary table started on commit drop as
  select carried.product_key, carried.promotion_key, carried.valid_from as seen_from, night.night_no,
    night.snapshot_date,
    dense_rank() over (partition by carried.product_key order by night.night_no) as turn,
    case
      when (o.starts_at at time zone $3)::date > night.before_date then (o.starts_at at time zone $3)::date
      when o.starts_at > carried.valid_from then (carried.seen_at at time zone $3)::date
      else (carried.valid_from at time zone $3)::date
    end as began_on,
    o.kind = 'loyalty_unit_price' as is_by_unit, o.loyalty_unit_measure,
    price.price_minor,
    case when price.unit_of_measure = o.loyalty_unit_measure then price.unit_price end as unit_price,
    case
      when o.kind = 'loyalty_price' then o.loyalty_price_minor * 0.01
      when o.kind = 'loyalty_unit_price' then o.loyalty_unit_price
      when o.kind = 'price_cut' and num_nonnulls(o.was_price_minor, o.saving_minor, o.save_percent) > 0
        then coalesce(o.now_price_minor, price.price_minor) * 0.01
      when o.kind = 'save_percent' and o.quantity is null
        and o.offer_type is distinct from '${loyaltyOfferType}'
        then price.price_minor * 0.01
      when o.kind = 'save_percent' and o.quantity is null
        then round(price.price_minor * (100 - o.save_percent) / 100) * 0.01
    end as reduced_price
  from (
    select distinct on (seen.product_key, seen.promotion_key, seen.valid_from) seen.*, night.night_no
    from (
      select product_key, promotion_key, valid_from, valid_to, valid_from as seen_at
      from catalog.product_promotion
      where valid_from > $2 and valid_from <= ($4::timestamptz[])[cardinality($4)]
      union all
      select pp.product_key, pp.promotion_key, pp.valid_from, pp.valid_to, early.starts_at
      from catalog.promotion early
      join catalog.product_promotion pp using (promotion_key)
      where early.region = $1 and early.starts_at > $2 and early.starts_at <= ($4::timestamptz[])[cardinality($4)]
        and pp.valid_from < early.starts_at
      union all
      -- Products that were gone when the promotion began and are listed again.
      select pp.product_key, pp.promotion_key, pp.valid_from, pp.valid_to, back.valid_from
      from catalog.availability_history away
      join catalog.availability_spell back
        on back.product_key = away.product_key and back.valid_from = away.valid_to and ${notListed('away')}
      join catalog.product_promotion pp on pp.product_key = back.product_key and pp.valid_from < back.valid_from
      where away.valid_to > $2 and away.valid_to <= ($4::timestamptz[])[cardinality($4)]
        and not exists (
          select from derived.promotion_start known
          where known.product_key = pp.product_key and known.promotion_key = pp.promotion_key
            and known.seen_from = pp.valid_from)
    ) as seen
    join counted_night night on night.night_no = ${instantsBefore('seen.seen_at', '$4')}
      and (seen.valid_to is null or seen.valid_to > night.observed_at)
    join catalog.promotion o on o.promotion_key = seen.promotion_key and o.region = $1
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
    select
      case when now.price_since <= night.observed_at then now.price_minor else former.price_minor end as price_minor,
      case when now.price_since <= night.observed_at then now.unit_price else former.unit_price end as unit_price,
      case when now.price_since <= night.observed_at then now.unit_of_measure else former.unit_of_measure end
        as unit_of_measure
  ) as price`;

/** SQL: number of nights before a promotion's first night that lie before an instant. */
const nightsBefore = (instant: string): string => `least(${instantsBefore(instant, '$1')}, s.night_no)`;
/** SQL: number of those nights that lie before a date. */
const datesBefore = (date: string): string => `least(width_bucket(${date} - 1, $2::date[]), night_no)`;

/**
 * SQL: a product's spells that overlap the preceding nights, found by key without reading older spells. Pairs are
 * compared, because for two bounds of time the planner chooses the index by time, which has all products of a night.
 */
const spellsBefore = (spells: string): string => `
      (select * from catalog.${spells} h
       where h.product_key = s.product_key and (h.product_key, h.valid_from) <= (s.product_key, night.back_to)
       order by h.product_key desc, h.valid_from desc
       limit 1)
      union all
      select * from catalog.${spells} h
      where h.product_key = s.product_key and (h.product_key, h.valid_from) > (s.product_key, night.back_to)
        and (h.product_key, h.valid_from) <= (s.product_key, night.before_at)`;

/**
 * Prices of the products on preceding nights, one row per price, with their numbers of nights. $1 instants, $2 dates of
 * the counted nights.
 */
const collectKnownPrices = `
  create temporary table known_price on commit drop as
  select product_key, promotion_key, seen_from, price_minor, unit_price, unit_of_measure,
    until_no - from_no as nights, greatest(until_no - greatest(from_no, month_no), 0) as month_nights,
    greatest(from_no, month_no) as month_from_no, until_no
  from (
    select s.product_key, s.promotion_key, s.seen_from, price.price_minor, price.unit_price, price.unit_of_measure,
      s.month_no,
      greatest(${nightsBefore('price.valid_from')}, ${nightsBefore('listed.valid_from')}, s.usual_no) as from_no,
      least(${nightsBefore('price.valid_to')}, ${nightsBefore('listed.valid_to')}, s.began_no) as until_no
    from (
      select *, ${datesBefore('began_on')} as began_no, ${datesBefore('(began_on - 30)')} as month_no,
        greatest(${datesBefore('began_on')} - ${usualNights}, night_no - ${nightsBack}, 0) as usual_no
      from started
      -- Nothing precedes the first night.
      where night_no > 0
    ) as s
    join counted_night night on night.night_no = s.night_no
    cross join lateral (${spellsBefore('price_spell')}) as price
    cross join lateral (${spellsBefore('availability_spell')}) as listed
    where price.price_minor is not null and listed.availability in ('available', 'unavailable')
  ) as span
  where until_no > from_no`;

/**
 * Aggregates by promotion, in separate analysed tables: the planner underestimates joined subqueries and would compare
 * thousands of promotions row by row.
 */
const sumUp = [
  `create temporary table month_before on commit drop as
   select k.product_key, k.promotion_key, k.seen_from,
     min(k.price_minor) filter (where k.month_nights > 0) as lowest_price_minor,
     sum(k.month_nights) as nights,
     min(k.unit_price) filter (where k.month_nights > 0
       and k.unit_of_measure = s.loyalty_unit_measure) as lowest_unit_price,
     sum(k.month_nights) filter (where k.unit_of_measure = s.loyalty_unit_measure) as unit_nights,
     sum(k.nights) as usual_nights
   from known_price k join started s using (product_key, promotion_key, seen_from)
   group by k.product_key, k.promotion_key, k.seen_from`,
  `create temporary table usual_price on commit drop as
   select distinct on (product_key, promotion_key, seen_from)
     product_key, promotion_key, seen_from, price_minor, sum(nights) as nights
   from known_price
   group by product_key, promotion_key, seen_from, price_minor
   order by product_key, promotion_key, seen_from, sum(nights) desc, price_minor`,
  'analyze month_before',
  'analyze usual_price',
];

/** Lowest loyalty price, per product or per unit, on the known nights of the 30 days before. $1 instants. */
const collectMemberPrices = `
  create temporary table members_before on commit drop as
  select k.product_key, k.promotion_key, k.seen_from, min(offer.price) as lowest_price
  from known_price k
  join started s using (product_key, promotion_key, seen_from)
  join counted_night night on night.night_no = s.night_no
  cross join lateral (
    select loyalty_price_minor * 0.01 as price, valid_from, valid_to
    from (${spellsBefore('offer_spell')}) as spell
    where not s.is_by_unit
    union all
    select o.loyalty_unit_price, greatest(pp.valid_from, o.starts_at), least(pp.valid_to, o.ends_at)
    from catalog.product_promotion pp
    join catalog.promotion o using (promotion_key)
    where s.is_by_unit and pp.product_key = s.product_key and pp.valid_from <= night.before_at
      and o.kind = 'loyalty_unit_price' and o.loyalty_unit_measure = s.loyalty_unit_measure
  ) as offer
  where k.month_nights > 0 and s.reduced_price is not null and offer.price is not null
    and greatest(${nightsBefore('offer.valid_from')}, k.month_from_no)
      < least(${nightsBefore('offer.valid_to')}, k.until_no)
  group by k.product_key, k.promotion_key, k.seen_from`;

/**
 * A reduction that directly follows another one and is at least as large continues its series; its prior price is that
 * before the first. $1 time zone, $2 round, $3 region.
 */
const insertStarts = `
  insert into derived.promotion_start (product_key, promotion_key, seen_from, snapshot_date, began_on, price_minor,
    unit_price,
    lowest_price_minor, nights_known, reduced_price, series_began_on, prior_price, prior_member_price,
    prior_nights_known, usual_price_minor, usual_nights, usual_nights_known, region, ${judgedColumns})
  select start.*, $3, ${judgedColumns}
  from (
    select s.product_key, s.promotion_key, s.seen_from, s.snapshot_date, s.began_on, s.price_minor, s.unit_price,
      month.lowest_price_minor, coalesce(month.nights, 0) as nights_known, s.reduced_price,
      case when s.reduced_price is not null then coalesce(series.series_began_on, s.began_on) end as series_began_on,
      case
        when s.reduced_price is null then null
        when series.series_began_on is not null then series.prior_price
        when s.is_by_unit then month.lowest_unit_price
        else month.lowest_price_minor * 0.01
      end as prior_price,
      case
        when s.reduced_price is null then null
        when series.series_began_on is not null then series.prior_member_price
        -- A member who buys without the offer pays the shelf price.
        when s.is_by_unit then least(month.lowest_unit_price, members.lowest_price)
        else least(month.lowest_price_minor * 0.01, members.lowest_price)
      end as prior_member_price,
      case
        when s.reduced_price is null then null
        when series.series_began_on is not null then series.prior_nights_known
        when s.is_by_unit then coalesce(month.unit_nights, 0)
        else coalesce(month.nights, 0)
      end as prior_nights_known,
      usual.price_minor as usual_price_minor, usual.nights as usual_nights,
      coalesce(month.usual_nights, 0) as usual_nights_known
    from started s
    left join month_before month using (product_key, promotion_key, seen_from)
    left join members_before members using (product_key, promotion_key, seen_from)
    left join usual_price usual using (product_key, promotion_key, seen_from)
    left join lateral (
      select earlier.series_began_on, earlier.prior_price, earlier.prior_member_price, earlier.prior_nights_known
      from (
        -- "offset 0" makes the planner find the product's few promotions first.
        select * from catalog.product_promotion
        where product_key = s.product_key and (valid_to is null or (valid_to at time zone $1)::date >= s.began_on)
        offset 0
      ) as carried
      join derived.promotion_start earlier
        on earlier.product_key = carried.product_key and earlier.promotion_key = carried.promotion_key
        and earlier.seen_from = carried.valid_from
      join catalog.promotion o on o.promotion_key = carried.promotion_key
      where s.reduced_price is not null and exists (select from derived.promotion_start where region = $3)
        and earlier.snapshot_date < s.snapshot_date
        and (o.kind = 'loyalty_unit_price') = s.is_by_unit and earlier.reduced_price >= s.reduced_price
        and (o.ends_at is null or ((o.ends_at - interval '1 microsecond') at time zone $1)::date + 1 >= s.began_on)
      order by earlier.series_began_on, earlier.snapshot_date, earlier.promotion_key
      limit 1
    ) as series on true
    where s.turn = $2
  ) as start
  ${judged}
  order by start.snapshot_date, start.product_key, start.promotion_key`;
