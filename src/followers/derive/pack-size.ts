import type { Derivation } from './derivation.ts';
import { instantBefore, isFirst, isOverAfter, isSeenFirst, listNights, nightOf, seenFirst } from './night-of.ts';
import { readTitles } from './read-titles.ts';
import { addSpells, forgetSpells, type NightSpells } from './spells.ts';

const sizes: NightSpells = {
  table: 'derived.pack_size',
  columns: ['pack_size', 'pack_measure', 'pack_count', 'source'],
};

/**
 * Pack content by night: the content in the title or, without one, in the details; then pieces; then the approximate
 * content implied by the unit price. Only changed products are examined. A new version of the parser raises the rules,
 * so that all nights are derived again with it.
 */
export const packSize: Derivation = {
  name: 'pack-size',

  forget: (tx, region, from) => forgetSpells(tx, sizes, region, from),

  async derive(tx, what, signal) {
    await listNights(tx, what);
    await tx.query('drop table if exists pg_temp.pack_version, pg_temp.pack_said');
    if (isFirst(what)) await tx.query(collectVersions(seenFirst), [what.region]);
    else await tx.query(collectVersions(begun), [what.region, instantBefore(what)]);
    await readTitles(tx, 'select title from pack_version', signal);
    await tx.query(chooseSizes);
    await addSpells(tx, sizes, 'pack_said');
    // The whole table is analyzed after the commit.
    if (what.before === null) await tx.query('analyze derived.pack_size (product_key, valid_from, valid_to, source)');
  },
};

/** SQL: exact quantity paid for, price divided by unit price; rows as in `catalog.price_spell`. */
const ratio = (price: string) => `(${price}.price_minor * 0.01 / ${price}.unit_price)`;

const isTold = (price: string) => `(${price}.price_minor > 0 and ${price}.unit_price > 0)`;

/**
 * SQL: approximate content of a pack in grams, millilitres or pieces, from price and unit price; null if they do not
 * determine it. Rounded to two digits, because unit prices are rounded. A pack priced as one kilogram is sold by
 * weight, and drained weight is not the content. Pieces count only if they are certain.
 */
const impliedContent = (price: string): string => `case
    when not ${isTold(price)} then null
    when ${price}.unit_of_measure in ('kg', 'litre') and ${ratio(price)} <> 1
      then round(${ratio(price)} * 1000, 1 - floor(log((${ratio(price)} * 1000)::float8))::int)
    when ${price}.unit_of_measure = 'each' and ${price}.unit_price > 0.005
      and ceil(${price}.price_minor * 0.01 / (${price}.unit_price + 0.005))
        = floor(${price}.price_minor * 0.01 / (${price}.unit_price - 0.005))
      then ceil(${price}.price_minor * 0.01 / (${price}.unit_price + 0.005))
  end`;

/** SQL: measure of the implied content. */
const impliedMeasure = (price: string): string =>
  `case ${price}.unit_of_measure when 'kg' then 'g' when 'litre' then 'ml' when 'each' then 'each' end`;

/**
 * SQL: nights that first saw a title, details or a price. A new price matters only if neither title nor details have a
 * size. $1: region, $2: instant of the preceding night.
 */
const begun = `
  with named as (
    select begun.product_key, begun.valid_from
    from (
      select product_key, valid_from from catalog.product
      union all
      select product_key, valid_from from catalog.product_history
      union all
      select product_key, valid_from from catalog.product_detail
    ) as begun
    where ${isSeenFirst('begun.valid_from', '$2::timestamptz')}
  ), priced as (
    select price.product_key, price.valid_from
    from catalog.price_spell price
    where ${isSeenFirst('price.valid_from', '$2::timestamptz')} and ${isOverAfter('price', '$2::timestamptz')}
      and (
        price.product_key in (select product_key from named)
        or not exists (
          select from derived.pack_size open
          where open.product_key = price.product_key and open.valid_to is null and open.source <> 'unit_price'))
  )
  select distinct begun.product_key, ${nightOf('begun.valid_from')} as night_no
  from (select * from named union all select * from priced) as begun
  join catalog.product p using (product_key)
  where p.region = $1`;

/** Titles, listed sizes and prices on nights that first saw one of them. */
const collectVersions = (moments: string): string => `
  create temporary table pack_version on commit drop as
  select m.product_key, n.snapshot_date, coalesce(former.title, p.title) as title, d.pack_size, d.pack_measure,
    d.pack_count, price.price_minor, price.unit_price, price.unit_of_measure
  from (${moments}) as m
  join derived_night n using (night_no)
  join catalog.product p using (product_key)
  left join catalog.product_history former
    on former.product_key = m.product_key and former.valid_from <= n.observed_at and former.valid_to > n.observed_at
  left join catalog.product_detail d
    on d.product_key = m.product_key and d.valid_from <= n.observed_at
      and (d.valid_to is null or d.valid_to > n.observed_at)
  left join catalog.price_spell price
    on price.product_key = m.product_key and price.valid_from <= n.observed_at
    and (price.valid_to is null or price.valid_to > n.observed_at)`;

/** The implied content is computed only where neither title nor details have a size: it is the dearest of the three. */
const chooseSizes = `
  create temporary table pack_said on commit drop as
  select v.product_key, v.snapshot_date, chosen.*
  from pack_version v
  left join pack_title t using (title)
  cross join lateral (
    select
      case
        -- Content takes precedence over a count of pieces.
        when t.pack_size is not null
          and (v.pack_size is null or t.pack_measure <> 'each' or v.pack_measure = 'each') then 'title'
        when v.pack_size is not null then 'details'
        when ${impliedContent('v')} is not null then 'unit_price'
      end as source
    offset 0
  ) as told
  cross join lateral (
    select
      case source when 'title' then t.pack_size when 'details' then v.pack_size
        when 'unit_price' then ${impliedContent('v')} end as pack_size,
      case source when 'title' then t.pack_measure when 'details' then v.pack_measure
        when 'unit_price' then ${impliedMeasure('v')} end as pack_measure,
      case when source is not null then coalesce(case source when 'title' then t.pack_count
        when 'details' then v.pack_count end, t.pack_count, v.pack_count) end as pack_count,
      source
  ) as chosen`;
