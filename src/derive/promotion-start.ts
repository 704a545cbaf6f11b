import { type RegionCode, regions } from '../model/index.ts';
import { loyaltyOfferType } from '../normalise/promotion-text.ts';
import { certifiedNights } from './certified-nights.ts';
import type { CertifiedNight, Derivation } from './derivation.ts';

/** Certified nights before a promotion among which its usual price is looked for. */
const usualNights = 56;

/**
 * What was known of every product when a promotion began on it (see the table). A promotion begins with the first certified
 * night on which it is in effect; what came before never changes afterwards, so a night adds only its own rows.
 */
export const promotionStart: Derivation = {
  name: 'promotion_start',

  async forget(tx, region, from) {
    await tx.query(
      `delete from derived.promotion_start s
       using catalog.product p
       where p.product_key = s.product_key and p.region = $1 and s.snapshot_date >= $2`,
      [region, from],
    );
  },

  async derive(tx, { region, nights }, signal) {
    const all = await certifiedNights(tx, region);
    const first = all.findIndex(({ runId }) => runId === nights[0]!.runId);
    for (const [n, night] of nights.entries()) {
      signal?.throwIfAborted();
      const earlier = all.slice(Math.max(0, first + n - usualNights - 1), first + n);
      for (const table of ['started', 'known_price', 'month_before', 'usual_price'])
        await tx.query(`drop table if exists pg_temp.${table}`);
      await tx.query(collectStarted, startedValues(region, night, earlier));
      await tx.query('analyze started');
      await tx.query(collectKnownPrices, [earlier.map(({ observedAt }) => observedAt), earlier.map(dateOf)]);
      await tx.query('analyze known_price');
      for (const statement of sumUp) await tx.query(statement);
      await tx.query(insertStarts, [regions[region].timeZone]);
    }
  },
};

const dateOf = ({ snapshotDate }: CertifiedNight): string => snapshotDate;

function startedValues(region: RegionCode, night: CertifiedNight, earlier: readonly CertifiedNight[]): unknown[] {
  const before = earlier.at(-1);
  const { timeZone } = regions[region];
  return [
    region,
    night.observedAt,
    dateOf(night),
    before?.observedAt ?? '-infinity',
    before?.snapshotDate ?? '-infinity',
    timeZone,
  ];
}

/**
 * Promotions of which this is the first certified night. When it began lies between the certified night before and this one:
 * its own date where that falls there, otherwise when it was first seen.
 * $1 region, $2 the night's instant, $3 its date, $4 and $5 those of the certified night before, $6 time zone.
 */
const collectStarted = `
  create temporary table started on commit drop as
  select carried.product_key, carried.promotion_key, carried.valid_from as seen_from, $3::date as snapshot_date,
    case
      when (o.starts_at at time zone $6)::date > $5::date then (o.starts_at at time zone $6)::date
      else (carried.valid_from at time zone $6)::date
    end as began_on,
    o.kind = 'loyalty_unit_price' as is_by_unit, o.loyalty_unit_measure,
    price.price_minor,
    case when price.unit_of_measure = o.loyalty_unit_measure then price.unit_price end as unit_price,
    case
      when o.kind = 'loyalty_price' then o.loyalty_price_minor * 0.01
      when o.kind = 'loyalty_unit_price' then o.loyalty_unit_price
      when o.kind = 'price_cut' and num_nonnulls(o.was_price_minor, o.saving_minor, o.save_percent) > 0
        then coalesce(o.now_price_minor, price.price_minor) * 0.01
      when o.kind = 'save_percent' and o.quantity is null and o.offer_type is distinct from '${loyaltyOfferType}' then price.price_minor * 0.01
      when o.kind = 'save_percent' and o.quantity is null then round(price.price_minor * (100 - o.save_percent) / 100) * 0.01
    end as reduced_price
  from (
    select product_key, promotion_key, valid_from
    from catalog.product_promotion
    where valid_from > $4 and valid_from <= $2 and (valid_to is null or valid_to > $2)
    union all
    select pp.product_key, pp.promotion_key, pp.valid_from
    from catalog.promotion early
    join catalog.product_promotion pp using (promotion_key)
    where early.region = $1 and early.starts_at > $4 and early.starts_at <= $2
      and pp.valid_from <= $4 and (pp.valid_to is null or pp.valid_to > $2)
  ) as carried
  join catalog.promotion o on o.promotion_key = carried.promotion_key and o.region = $1
    and (o.starts_at is null or o.starts_at <= $2) and (o.ends_at is null or o.ends_at > $2)
  left join catalog.price_history price on price.product_key = carried.product_key
    and price.valid_from <= $2 and (price.valid_to is null or price.valid_to > $2)`;

/** SQL: how many of the nights before lie before an instant; before no instant, all of them. */
const nightsBefore = (instant: string): string =>
  `coalesce(width_bucket(${instant} - interval '1 microsecond', $1::timestamptz[]), cardinality($1::timestamptz[]))`;
/** SQL: how many of them lie before a date. */
const datesBefore = (date: string): string => `width_bucket(${date} - 1, $2::date[])`;

/**
 * What the products cost on the nights before, a row a price, and on how many of them: nights are counted by their places in
 * the row of certified nights, none is visited by itself. $1 instants, $2 dates of those nights.
 */
const collectKnownPrices = `
  create temporary table known_price on commit drop as
  select product_key, promotion_key, seen_from, price_minor, unit_price, unit_of_measure,
    until_no - from_no as nights, greatest(until_no - greatest(from_no, month_no), 0) as month_nights
  from (
    select s.product_key, s.promotion_key, s.seen_from, price.price_minor, price.unit_price, price.unit_of_measure, s.month_no,
      greatest(${nightsBefore('price.valid_from')}, ${nightsBefore('listed.valid_from')}, s.usual_no) as from_no,
      least(${nightsBefore('price.valid_to')}, ${nightsBefore('listed.valid_to')}, s.began_no) as until_no
    from (
      select *, ${datesBefore('began_on')} as began_no, ${datesBefore('(began_on - 30)')} as month_no,
        ${datesBefore('began_on')} - ${usualNights} as usual_no
      from started
    ) as s
    join catalog.price_history price on price.product_key = s.product_key and price.price_minor is not null
      and price.valid_from <= ($1::timestamptz[])[cardinality($1)]
      and (price.valid_to is null or price.valid_to > ($1::timestamptz[])[1])
    join catalog.availability_history listed on listed.product_key = s.product_key
      and listed.availability in ('available', 'unavailable')
      and listed.valid_from <= ($1::timestamptz[])[cardinality($1)]
      and (listed.valid_to is null or listed.valid_to > ($1::timestamptz[])[1])
  ) as span
  where until_no > from_no`;

/**
 * By promotion. In tables of their own that are analysed: joined as subqueries they are taken for a few rows each, and a night on
 * which thousands of promotions begin is compared row by row.
 */
const sumUp = [
  `create temporary table month_before on commit drop as
   select k.product_key, k.promotion_key, k.seen_from,
     min(k.price_minor) filter (where k.month_nights > 0) as lowest_price_minor,
     sum(k.month_nights) as nights,
     min(k.unit_price) filter (where k.month_nights > 0 and k.unit_of_measure = s.loyalty_unit_measure) as lowest_unit_price,
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

/**
 * A cut that follows another one without a night between them, and is no smaller, goes on with its series: what counts is the
 * price before the first. $1 time zone.
 */
const insertStarts = `
  insert into derived.promotion_start (product_key, promotion_key, seen_from, snapshot_date, began_on, price_minor, unit_price,
    lowest_price_minor, nights_known, reduced_price, series_began_on, prior_price, prior_nights_known,
    usual_price_minor, usual_nights, usual_nights_known)
  select s.product_key, s.promotion_key, s.seen_from, s.snapshot_date, s.began_on, s.price_minor, s.unit_price,
    month.lowest_price_minor, coalesce(month.nights, 0), s.reduced_price,
    case when s.reduced_price is not null then coalesce(series.series_began_on, s.began_on) end,
    case
      when s.reduced_price is null then null
      when series.series_began_on is not null then series.prior_price
      when s.is_by_unit then month.lowest_unit_price
      else month.lowest_price_minor * 0.01
    end,
    case
      when s.reduced_price is null then null
      when series.series_began_on is not null then series.prior_nights_known
      when s.is_by_unit then coalesce(month.unit_nights, 0)
      else coalesce(month.nights, 0)
    end,
    usual.price_minor, usual.nights, coalesce(month.usual_nights, 0)
  from started s
  left join month_before month using (product_key, promotion_key, seen_from)
  left join usual_price usual using (product_key, promotion_key, seen_from)
  left join lateral (
    select earlier.series_began_on, earlier.prior_price, earlier.prior_nights_known
    from derived.promotion_start earlier
    join catalog.promotion o using (promotion_key)
    join catalog.product_promotion carried
      on carried.product_key = earlier.product_key and carried.promotion_key = earlier.promotion_key
      and carried.valid_from = earlier.seen_from
    where earlier.product_key = s.product_key and earlier.snapshot_date < s.snapshot_date
      and (o.kind = 'loyalty_unit_price') = s.is_by_unit and earlier.reduced_price >= s.reduced_price
      and coalesce(least((carried.valid_to at time zone $1)::date, (o.ends_at at time zone $1)::date) >= s.began_on, true)
    order by earlier.series_began_on
    limit 1
  ) as series on s.reduced_price is not null
  order by s.product_key, s.promotion_key`;
