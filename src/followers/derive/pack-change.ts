import type { Transaction } from '../../db/client.ts';
import { certifiedNights } from './certified-nights.ts';
import type { CertifiedNight, Derivation } from './derivation.ts';
import { fitsUnitPrice } from './fits-unit-price.ts';
import { readTitles } from './read-titles.ts';
import { collectMoves, isListedAt, type Relaunch, relaunchesOf, type Shown } from './relaunch.ts';

/**
 * Changes of pack content. A night confirms a change that the second certified night before it showed first: a change
 * must last three nights. Both sides use the current parser, so a parser upgrade does not create changes.
 */
export const packChange: Derivation = {
  name: 'pack-change',

  async forget(tx, region, from) {
    await tx.query('delete from derived.pack_change where region = $1 and confirmed_on >= $2', [region, from]);
  },

  async derive(tx, { region, nights }, signal) {
    const all = await certifiedNights(tx, region);
    const first = all.findIndex(({ snapshotDate }) => snapshotDate === nights[0]!.snapshotDate);
    const [since, last] = [all[Math.max(0, first - 3)]!, nights.at(-1)!];
    const confirming = nights.flatMap((confirmed, index): Shown[] => {
      const [earlier, before, seen] = [4, 3, 2].map((back) => all[first + index - back]);
      return before && seen ? [{ earlier: earlier ?? before, before, seen, confirmed }] : [];
    });
    await collectShapes(tx, region, since, last, confirming);
    await readTitles(tx, 'select title from pack_shape', signal);
    await tx.query(insertChanges, [region]);
    await collectMoves(tx, region, since, last);
    for (const shown of confirming) {
      signal?.throwIfAborted();
      await insertRelaunches(tx, region, shown, await relaunchesOf(tx, shown));
    }
  },
};

/**
 * Creates the temporary table `pack_shape`: products with a new title or new details, as of the nights that show a
 * change.
 */
async function collectShapes(
  tx: Transaction,
  region: string,
  since: CertifiedNight,
  last: CertifiedNight,
  confirming: readonly Shown[],
): Promise<void> {
  await tx.query('drop table if exists pg_temp.pack_event, pg_temp.pack_night, pg_temp.pack_shape');
  await tx.query(collectEvents, [region, since.observedAt, last.observedAt]);
  const instants = (['earlier', 'before', 'seen', 'confirmed'] as const).map((moment) =>
    confirming.map((shown) => shown[moment].observedAt),
  );
  await tx.query(
    `create temporary table pack_night on commit drop as
     select * from unnest(
       $1::timestamptz[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[], $5::date[], $6::date[])
       as night (earlier_at, before_at, seen_at, confirmed_at, seen_on, confirmed_on)`,
    [
      ...instants,
      confirming.map(({ seen }) => seen.snapshotDate),
      confirming.map(({ confirmed }) => confirmed.snapshotDate),
    ],
  );
  await tx.query(collectShapesOfNights);
}

/**
 * New titles, details and prices of the relevant nights. A product without a price is examined again once it has one;
 * `gap_from` is the instant at which it lost its price. $1 region, $2 and $3 interval of instants.
 */
const collectEvents = `
  create temporary table pack_event on commit drop as
  select p.product_key, p.valid_from, null::timestamptz as gap_from from catalog.product p
  where p.region = $1 and p.valid_from > $2 and p.valid_from <= $3 and p.valid_from > p.first_seen_at
  union
  select h.product_key, h.valid_from, null from catalog.product_history h join catalog.product p using (product_key)
  where p.region = $1 and h.valid_from > $2 and h.valid_from <= $3 and h.valid_from > p.first_seen_at
  union
  select d.product_key, d.valid_from, null from catalog.product_detail d join catalog.product p using (product_key)
  where p.region = $1 and d.valid_from > $2 and d.valid_from <= $3 and d.pack_size is not null
  union
  select price.product_key, price.valid_from, gap.valid_from
  from catalog.price_history gap
  join catalog.price_spell price on price.product_key = gap.product_key and price.valid_from = gap.valid_to
  join catalog.product p on p.product_key = gap.product_key
  where p.region = $1 and gap.valid_to > $2 and gap.valid_to <= $3 and gap.valid_from > p.first_seen_at
    and gap.price_minor is null and price.price_minor is not null`;

/** One row for each of the four moments at which a product is examined for a confirming night. */
const collectShapesOfNights = `
  create temporary table pack_shape on commit drop as
  select n.confirmed_on, n.seen_on, event.product_key, event.changed_at, event.gap_from,
    moment.name as moment,
    coalesce(former.title, p.title) as title,
    case when former.product_key is null then p.gtin else former.gtin end as gtin,
    d.pack_size as listed_size, d.pack_measure as listed_measure, d.pack_count as listed_count,
    price.price_minor as offered_minor,
    case when shown.product_key is null then price.price_minor else shown.price_minor end as price_minor,
    case when shown.product_key is null then price.unit_price else shown.unit_price end as unit_price,
    case when shown.product_key is null then price.unit_of_measure else shown.unit_of_measure end as unit_of_measure
  from pack_night n
  cross join lateral (
    select product_key, max(valid_from) as changed_at, min(gap_from) as gap_from
    from pack_event
    where valid_from > n.before_at and valid_from <= n.seen_at
    group by product_key
  ) as event
  join catalog.product p using (product_key)
  cross join lateral (values
    ('earlier', least(greatest(n.earlier_at, p.first_seen_at), event.gap_from - interval '1 microsecond')),
    ('before', least(greatest(n.before_at, p.first_seen_at), event.gap_from - interval '1 microsecond')),
    ('seen', n.seen_at), ('confirmed', n.confirmed_at)
  ) as moment (name, at)
  left join catalog.product_history former
    on former.product_key = p.product_key and former.valid_from <= moment.at and former.valid_to > moment.at
  left join catalog.product_detail d
    on d.product_key = p.product_key and d.valid_from <= moment.at and (d.valid_to is null or d.valid_to > moment.at)
  left join catalog.price_spell price
    on price.product_key = p.product_key and price.valid_from <= moment.at
    and (price.valid_to is null or price.valid_to > moment.at)
  -- A price that is no offer still tells what the pack holds.
  left join catalog.shown_price shown
    on shown.product_key = p.product_key and shown.valid_from <= moment.at
    and (shown.valid_to is null or shown.valid_to > moment.at)
  where ${isListedAt('p.product_key', 'n.confirmed_at')}`;

/**
 * Inserts changes confirmed by two of title, details and unit price, or by title or details and a new barcode, which
 * new content requires. Title or details changed on the first night and stayed unchanged until confirmation. Sizes that
 * change only through the parser have no second source. $1 region.
 */
const insertChanges = `
  insert into derived.pack_change (region, product_key, changed_at, snapshot_date, confirmed_on, route, measure,
    old_size, new_size, old_price_minor, new_price_minor, evidence, score)
  with sized as (
    select s.*, t.pack_size as title_size, t.pack_measure as title_measure, t.pack_count as title_count
    from pack_shape s
    left join pack_title t using (title)
  ), pair as (
    -- The title decides or, without a size in it, the details.
    select a.confirmed_on, a.product_key, b.moment, told.*, a.listed_size as old_listed, b.listed_size as new_listed,
      a.listed_measure = told.measure and b.listed_measure = told.measure
        and a.listed_size <> b.listed_size as is_listed_other,
      ${fitsUnitPrice('a', 'told.old_size', 'told.measure', 'told.old_count')} as did_fit,
      ${fitsUnitPrice('b', 'told.new_size', 'told.measure', 'told.new_count')} as fits,
      ${fitsUnitPrice('b', 'told.old_size', 'told.measure', 'told.old_count')} as fits_as_before,
      coalesce(a.gtin <> b.gtin, false) as has_new_gtin
    from sized a
    join sized b using (confirmed_on, product_key)
    cross join lateral (
      select said_by, measure, old_size, old_count, new_size, new_count
      from (values
        (1, 'title', b.title_measure, a.title_measure, a.title_size, a.title_count, b.title_size, b.title_count),
        (2, 'details', b.listed_measure, a.listed_measure, a.listed_size, a.listed_count, b.listed_size, b.listed_count)
      ) as source (place, said_by, measure, old_measure, old_size, old_count, new_size, new_count)
      where measure = old_measure and old_size <> new_size
      order by place
      limit 1
    ) as told
    where (a.moment, b.moment) in (('earlier', 'confirmed'), ('before', 'seen'))
  ), judged as (
    select *, said_by = 'details' or coalesce(is_listed_other
        -- Details may state the content of the pack or of one piece.
        and old_size in (old_listed, old_listed * coalesce(old_count, 1))
        and new_size in (new_listed, new_listed * coalesce(new_count, 1)), false) as is_in_details,
      coalesce(did_fit and fits and fits_as_before is not true, false) as is_paid_for
    from pair
    where moment = 'confirmed'
  ), counted as (
    select *, (said_by = 'title')::int + is_in_details::int + is_paid_for::int as sources from judged
  ), found as (
    select seen.product_key, seen.changed_at, seen.gap_from, seen.seen_on, seen.confirmed_on,
      case when c.has_new_gtin then 'new_gtin' else 'in_place' end as route, c.measure, c.old_size, c.new_size,
      before.offered_minor as old_minor, coalesce(seen.offered_minor, confirmed.offered_minor) as new_minor,
      concat_ws(', ', case when c.said_by = 'title' then 'title' end, case when is_in_details then 'details' end,
        case when is_paid_for then 'unit price' end, case when c.has_new_gtin then 'gtin' end) as evidence,
      case when sources + c.has_new_gtin::int >= 3 then 1 when c.has_new_gtin then 0.9 else 0.95 end as score
    from counted c
    join pair as first using (confirmed_on, product_key)
    join pack_shape as before using (confirmed_on, product_key)
    join pack_shape as seen using (confirmed_on, product_key)
    join pack_shape as confirmed using (confirmed_on, product_key)
    where first.moment = 'seen' and first.said_by = c.said_by and first.new_size = c.new_size
      and before.moment = 'before' and seen.moment = 'seen' and confirmed.moment = 'confirmed'
      and (sources >= 2 or c.has_new_gtin and c.fits is not false)
  )
  select $1, product_key, changed_at, seen_on, confirmed_on, route, measure, old_size, new_size, old_minor, new_minor,
    evidence, score
  from found
  -- Other sources may have told it while there was no price.
  where not exists (
    select from (
      select product_key, new_size, changed_at from derived.pack_change
      union all
      select product_key, new_size, changed_at from found
    ) as known
    where known.product_key = found.product_key and known.new_size = found.new_size
      and known.changed_at >= found.gap_from and known.changed_at < found.changed_at)
  order by confirmed_on, product_key
  on conflict (product_key, snapshot_date) do nothing`;

async function insertRelaunches(
  tx: Transaction,
  region: string,
  { seen, confirmed }: Shown,
  found: readonly Relaunch[],
): Promise<void> {
  for (const each of found) {
    const { productKey, formerKey, changedAt, measure, oldSize, newSize, oldPriceMinor, newPriceMinor } = each;
    await tx.query(
      `insert into derived.pack_change (region, product_key, former_product_key, changed_at, snapshot_date,
         confirmed_on, route, measure,
         old_size, new_size, old_price_minor, new_price_minor, evidence, score)
       values ($1, $2, $3, $4, $5, $6, 'relaunch', $7, $8, $9, $10, $11, $12, $13)
       on conflict (product_key, snapshot_date) do nothing`,
      [
        ...[region, productKey, formerKey, changedAt, seen.snapshotDate, confirmed.snapshotDate, measure],
        ...[oldSize, newSize, oldPriceMinor, newPriceMinor, each.evidence.join(', '), each.score],
      ],
    );
  }
}
