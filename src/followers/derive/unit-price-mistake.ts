import type { Derivation } from './derivation.ts';
import { roundingOf, tolerance } from './fits-unit-price.ts';
import { instantBefore, isFirst, isOverAfter, isSeenFirst, listNights, nightOf, seenFirst } from './night-of.ts';
import { addSpells, forgetSpells, type NightSpells } from './spells.ts';

const mistakes: NightSpells = {
  table: 'derived.unit_price_mistake',
  columns: [
    'price_minor',
    'unit_price',
    'unit_of_measure',
    'pack_size',
    'pack_measure',
    'expected_unit_price',
    'evidence',
  ],
};

/**
 * Wrong unit prices of the supermarket: listed packs whose unit price does not follow from price and the size in the
 * title, unless the details state another size. Products sold by weight, drained weights and incomparable measures are
 * excluded. Depends on pack sizes.
 */
export const unitPriceMistake: Derivation = {
  name: 'unit-price-mistake',

  forget: (tx, region, from) => forgetSpells(tx, mistakes, region, from),

  async derive(tx, what) {
    await listNights(tx, what);
    await tx.query('drop table if exists pg_temp.pack_moment, pg_temp.mistake_said');
    if (isFirst(what)) await tx.query(collectMoments(seenFirst), [what.region]);
    else await tx.query(collectMoments(begun), [instantBefore(what)]);
    // The table may have few rows or all products, so the planner needs statistics.
    await tx.query('analyze pack_moment');
    await tx.query(judgePacks, [what.region]);
    await addSpells(tx, mistakes, 'mistake_said');
  },
};

const collectMoments = (moments: string): string => `create temporary table pack_moment on commit drop as ${moments}`;

/** SQL: nights that first saw a pack's price, size, details or listing. $1: instant of the preceding night. */
const begun = `
  with begun as (
    select product_key, valid_from, valid_to from catalog.price_spell
    union all
    select product_key, valid_from, valid_to from catalog.product_detail
    union all
    select product_key, valid_from, valid_to from catalog.availability_spell
  )
  select product_key, ${nightOf('valid_from')} as night_no
  from begun
  where ${isSeenFirst('valid_from', '$1::timestamptz')} and ${isOverAfter('begun', '$1::timestamptz')}
  union
  select s.product_key, n.night_no from derived.pack_size s join derived_night n on n.snapshot_date = s.valid_from
  union
  select s.product_key, n.night_no from derived.pack_size s join derived_night n on n.snapshot_date = s.valid_to`;

/** SQL: state of the packs on those nights. "offset 0" computes what is expected once. $1: region. */
const pricedPacks = `
  select m.product_key, n.snapshot_date, price.price_minor, price.unit_price, price.unit_of_measure, s.pack_size,
    s.pack_measure,
    case
      when d.pack_size is null or d.pack_measure <> s.pack_measure then 'title'
      else 'title, details'
    end as evidence,
    price.price_minor * 0.01 / nullif(units.held, 0) as expected_unit_price
  from pack_moment m
  join catalog.product p on p.product_key = m.product_key and p.region = $1
  join derived_night n using (night_no)
  left join catalog.availability_spell a
    on a.product_key = m.product_key and a.valid_from <= n.observed_at
      and (a.valid_to is null or a.valid_to > n.observed_at)
    and a.availability = 'available'
  left join catalog.price_spell price
    on a.product_key is not null and price.product_key = m.product_key and price.valid_from <= n.observed_at
    and (price.valid_to is null or price.valid_to > n.observed_at) and price.price_minor > 0 and price.unit_price > 0
  left join derived.pack_size s
    on s.product_key = m.product_key and s.source = 'title' and s.valid_from <= n.snapshot_date
    and (s.valid_to is null or s.valid_to > n.snapshot_date)
  left join catalog.product_detail d
    on d.product_key = m.product_key and d.valid_from <= n.observed_at
      and (d.valid_to is null or d.valid_to > n.observed_at)
  left join lateral (
    select case
        when price.unit_of_measure = 'each' and s.pack_measure = 'each' then s.pack_size
        when price.unit_of_measure = 'each' then s.pack_count
        when (price.unit_of_measure, s.pack_measure) in (('kg', 'g'), ('litre', 'ml')) then s.pack_size / 1000
      end as held
    where d.pack_size is null or d.pack_measure <> s.pack_measure
      or d.pack_size in (s.pack_size, s.pack_size / s.pack_count)
  ) as units on true
  offset 0`;

/**
 * As in `fits-unit-price.ts`, but with a whole rounding step, because some prices are rounded up. Most unit prices are
 * within the tolerance, so that the rest is not computed.
 */
const isMistake = `(
  abs(unit_price - expected_unit_price) > ${tolerance} * expected_unit_price
  and price_minor * 0.01 <> unit_price
  and abs(unit_price - expected_unit_price) > ${roundingOf('unit_price')})`;

/** Packs with a mistake now or until now; others need no row. $1: region. */
const judgePacks = `
  create temporary table mistake_said on commit drop as
  with judged as materialized (
    select priced_pack.*, ${isMistake} as is_mistake from (${pricedPacks}) as priced_pack
  )
  select product_key, snapshot_date,
    ${mistakes.columns.map((name) => `case when is_mistake then ${name} end as ${name}`).join(', ')}
  from judged
  where product_key in (
    select product_key from judged where is_mistake
    union
    select product_key from derived.unit_price_mistake where valid_to is null)`;
