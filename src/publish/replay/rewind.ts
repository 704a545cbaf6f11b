import { type Columns, selected } from './columns.ts';
import type { Part } from './scope.ts';

/** A table of the catalogue that replays write. */
export interface KeptTable {
  readonly name: string;
  readonly part: Part;
  readonly key: readonly string[];
}

/** Parents before children: rows are added in this order and removed in reverse. */
export const keptTables: readonly KeptTable[] = [
  { name: 'product', part: 'listing', key: ['product_key'] },
  { name: 'category', part: 'listing', key: ['category_key'] },
  { name: 'promotion', part: 'listing', key: ['promotion_key'] },
  { name: 'product_history', part: 'listing', key: ['product_key', 'valid_from'] },
  { name: 'price_history', part: 'listing', key: ['product_key', 'valid_from'] },
  { name: 'availability_history', part: 'listing', key: ['product_key', 'valid_from'] },
  { name: 'product_promotion', part: 'listing', key: ['product_key', 'promotion_key', 'valid_from'] },
  { name: 'offer_history', part: 'listing', key: ['product_key', 'valid_from'] },
  { name: 'product_category', part: 'listing', key: ['product_key', 'category_key', 'valid_from'] },
  { name: 'shown_price', part: 'listing', key: ['product_key', 'valid_from'] },
  { name: 'product_current', part: 'listing', key: ['product_key'] },
  { name: 'product_detail', part: 'detail', key: ['product_key', 'valid_from'] },
  { name: 'product_nutrition', part: 'detail', key: ['product_key', 'valid_from', 'nutrient', 'basis'] },
];

/** Columns of `product` whose former values are in `product_history`. */
export const describedBy = [
  'title',
  'brand',
  'tpnb',
  'gtin',
  'image_url',
  'seller',
  'catch_weight_grams',
  'charges',
  'deposit_minor',
] as const;

/** An entry hash that no product has, so that the next observation is compared with the stored values. */
export const unknownHash = `'00000000-0000-0000-0000-000000000000'::uuid`;

/** `from_at`: the catalogue just before the replay's first run; `until_at`: after the last run of the range. */
export type Moment = 'from_at' | 'until_at';

/**
 * SQL: the live rows of a table that a replay may change (valid at `from_at` or later), in their state just before a
 * moment. Reads `ops_replay.replay_window`. Rows that ended before the window are not needed, because publication reads
 * only open ones.
 */
export function rowsAt(table: string, columns: Columns, at: Moment): string {
  const select = (alias: string, otherwise: Readonly<Record<string, string>> = {}) =>
    selected(columns.get(`catalog.${table}`)!, alias, otherwise);
  const moment = `w.${at}`;

  switch (table) {
    case 'product':
      return productsAt(select, moment);
    case 'category':
      // Name, kind and position have no history; the next replayed taxonomy sets them.
      return `select ${select('x', { last_seen_at: `case when x.last_seen_at < ${moment} then x.last_seen_at end` })}
        from catalog.category x join ops_replay.replay_window w using (region)
        where x.first_seen_at < ${moment}`;
    case 'promotion':
      return `select ${select('x')}
        from catalog.promotion x join ops_replay.replay_window w using (region)
        where exists (
          select from catalog.product_promotion pp
          where pp.promotion_key = x.promotion_key and pp.valid_from < ${moment})`;
    case 'product_current':
      return currentAt(select, moment);
    case 'product_history':
    case 'price_history':
    case 'availability_history':
    case 'offer_history':
      return `select ${select('x')} ${ofWindow(table)} where x.valid_to < ${moment} and x.valid_to >= w.from_at`;
    case 'product_nutrition':
      return `select ${select('x')} ${ofWindow(table)} where x.valid_from < ${moment} and x.valid_from >= w.from_at`;
    default:
      return `select ${select('x', { valid_to: `case when x.valid_to < ${moment} then x.valid_to end` })}
        ${ofWindow(table)}
        where x.valid_from < ${moment} and (x.valid_to is null or x.valid_to >= w.from_at)`;
  }
}

const ofWindow = (table: string): string =>
  `from catalog.${table} x
   join catalog.product p using (product_key)
   join ops_replay.replay_window w on w.region = p.region`;

/** SQL: spells that began before a moment and reach into the window; those that had not ended by then appear open. */
export function spellsAt(spells: string, columns: readonly string[], at: Moment): string {
  return `select ${selected(columns, 'x', { valid_to: `case when x.valid_to < w.${at} then x.valid_to end` })}
    ${ofWindow(spells)}
    where x.valid_from < w.${at} and (x.valid_to is null or x.valid_to >= w.from_at)`;
}

/** SQL: price, availability and offer of each product at that moment. */
function currentAt(select: (alias: string, otherwise: Readonly<Record<string, string>>) => string, at: string): string {
  const holds = (spell: string) =>
    `${spell}.product_key = p.product_key and ${spell}.valid_from < ${at}
      and (${spell}.valid_to is null or ${spell}.valid_to >= ${at})`;
  const columns = select('price', {
    product_key: 'p.product_key',
    price_since: 'price.valid_from',
    availability: 'state.availability',
    availability_since: 'state.valid_from',
    loyalty_price_minor: 'offer.loyalty_price_minor',
    offer_since: 'offer.valid_from',
    next_turn: 'turn.next_turn',
  });
  return `select ${columns}
    from catalog.product p
    join ops_replay.replay_window w using (region)
    join catalog.price_spell price on ${holds('price')}
    join catalog.availability_spell state on ${holds('state')}
    left join catalog.offer_spell offer on ${holds('offer')}
    left join lateral (
      select min(date.at) as next_turn
      from catalog.product_promotion carried
      join catalog.promotion using (promotion_key)
      cross join lateral (values (promotion.starts_at), (promotion.ends_at)) as date (at)
      where ${holds('carried')} and date.at > coalesce((
        select max(r.observed_at) from ops.published_run r
        where r.region = p.region and r.observed_at < ${at}), '-infinity')
    ) as turn on true
    where p.first_seen_at < ${at}`;
}

/** SQL: version of each product at that moment: the current one, or the one superseded since. */
function productsAt(
  select: (alias: string, otherwise: Readonly<Record<string, string>>) => string,
  at: string,
): string {
  const then = (column: string) => `case when x.valid_from < ${at} then x.${column} else former.${column} end`;
  const versioned = ['valid_from', ...describedBy];
  const columns = select('x', {
    ...Object.fromEntries(versioned.map((column) => [column, then(column)])),
    replaced_at: `case when x.replaced_at < ${at} then x.replaced_at end`,
    is_for_sale: `coalesce(case when ${at} < 'infinity' then listed.availability = 'available' end, x.is_for_sale)`,
    entry_hash: `case when ${at} < 'infinity' then ${unknownHash} else x.entry_hash end`,
  });
  return `select ${columns}
    from catalog.product x
    join ops_replay.replay_window w using (region)
    left join lateral (
      select * from catalog.product_history h
      where h.product_key = x.product_key and h.valid_from < ${at} and h.valid_to >= ${at}
    ) as former on x.valid_from >= ${at}
    left join lateral (
      select h.availability from catalog.availability_spell h
      where h.product_key = x.product_key and h.valid_from < ${at} and h.availability in ('available', 'unavailable')
      order by h.valid_from desc limit 1
    ) as listed on ${at} < 'infinity'
    where x.first_seen_at < ${at}`;
}
