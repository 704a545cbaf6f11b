import type { RegionCode } from '../../base/model/index.ts';
import { basket as basketQuestion, itemsOf, mostOfOne, mostProducts } from '../../questions/basket.ts';
import { basketSwaps } from '../../questions/basket-swaps.ts';
import { keyOfTwin } from '../../questions/category-twin.ts';
import { isCertified, lastCertified } from '../../questions/certified.ts';
import { lineColumns, type ProductLine, withLine } from '../../questions/product-line.ts';
import { columnsOf, fields } from '../../questions/question.ts';
import { sql } from '../../questions/sql.ts';
import { chosenIn, foundQuery } from '../chosen-products.tsx';
import type { Query } from '../page.ts';
import { lineNights } from '../product-table.tsx';
import { spans } from '../spans.tsx';

export interface BasketNight {
  readonly region: RegionCode;
  readonly snapshot_date: string;
  readonly products: number;
  readonly missing: number;
  /** Null: a product has no price on that night. */
  readonly total: string | null;
  readonly loyalty_total: string | null;
  /** Total of the products that have a price on the first night, if others do not. */
  readonly early_total: string | null;
  readonly shared_products: number;
  readonly shared_total: string | null;
  readonly currency: string;
}

export interface Item extends ProductLine {
  readonly quantity: number;
  /** Prices of one on the first and last night that have a total; null: there is no such night. */
  readonly first_price: string | null;
  readonly last_price: string | null;
  /** What members pay; null: what all pay. */
  readonly last_members_price: string | null;
  readonly moved_by: string | null;
  /** What the item adds to the change of the total, in percentage points. */
  readonly moved_points: string | null;
  /** The same of what members pay; they pay the shelf price where there is none for them. */
  readonly members_moved_by: string | null;
  /** Newest smaller pack since the first night; null: it did not shrink. */
  readonly shrank_on: string | null;
  readonly old_size: string | null;
  readonly new_size: string | null;
  readonly pack_unit: string | null;
  /** The same article in the other region. */
  readonly other_product_id: string | null;
  /** Key of its narrowest category in the other region. */
  readonly other_shelf: number | null;
  /** Cheapest product of the shelf for the same content; null: this one. */
  readonly swap_product_id: string | null;
  readonly swap_title: string | null;
  readonly swap_quantity: number | null;
  /** Printed content of both packs, in the same measure; null: not printed. */
  readonly size: string | null;
  readonly swap_size: string | null;
  readonly size_measure: string | null;
  readonly saving: string | null;
  /** Whether the item has no price on the first night of the range. */
  readonly is_late: boolean;
}

export type AwayItem = Pick<ProductLine, 'product_id' | 'title'>;

export interface Parameters {
  readonly items?: string | undefined;
  /** Items that only the other region has, kept for the way back. */
  readonly away?: string | undefined;
  readonly p?: string | undefined;
  readonly region: RegionCode;
  readonly find?: string | undefined;
  readonly span: keyof typeof spans;
}

export type Quantities = ReadonlyMap<string, number>;

/** Items of the address, and the ticked products of its region. */
export function quantitiesOf({ items, p, region }: Parameters): Quantities {
  const quantities = new Map<string, number>();
  const add = (id: string, quantity: number) =>
    quantities.set(id, Math.min(mostOfOne, (quantities.get(id) ?? 0) + quantity));
  const { ids, quantities: given } = items === undefined ? { ids: [], quantities: [] } : itemsOf(items);
  for (const [i, id] of ids.entries()) add(id, given[i]!);
  for (const one of chosenIn(p)) {
    if (one.region === region && !quantities.has(one.id) && quantities.size < mostProducts) add(one.id, 1);
  }
  return quantities;
}

export const itemText = (id: string, quantity: number) => (quantity === 1 ? id : `${id}:${quantity}`);
export const itemsText = (items: Iterable<readonly [string, number]>) =>
  [...items].map(([id, count]) => itemText(id, count)).join(',');

/** All queries of the basket. */
export function basketQueries(p: Parameters) {
  const quantities = quantitiesOf(p);
  const since = sql`(select max(snapshot_date) from marts.snapshot) - ${spans[p.span] - 1}::int`;
  const nights = sql`
        select basket.*
        from (${basketQuestion.sql({ items: itemsText(quantities), region: p.region, since }, { limit: null })}
        ) as basket
        join marts.snapshot using (region, snapshot_date)
        where ${isCertified}`;
  return {
    items: {
      caption: 'What is in it, and what moved it',
      sql: withLine(
        sql`
        with night as materialized (${nights}
        ), bound as materialized (
          select
            min(snapshot_date) as first_night, max(snapshot_date) as last_night,
            (array_agg(total order by snapshot_date))[1] as first_total
          from night where region = ${p.region} and total is not null
        )
        select
          now.product_key, asked.quantity, first.price as first_price, last.price as last_price,
          nullif(least(last.loyalty_price, last.price), last.price) as last_members_price,
          asked.quantity * (last.price - first.price) as moved_by,
          round(100 * asked.quantity * (last.price - first.price) / nullif(bound.first_total, 0), 2) as moved_points,
          asked.quantity * (least(last.loyalty_price, last.price) - least(first.loyalty_price, first.price))
            as members_moved_by,
          pack.snapshot_date as shrank_on, pack.old_size, pack.new_size, pack.unit as pack_unit,
          (select away.product_id
           from marts.region_match m
           join marts.product_now away
             on away.product_key = case when ${p.region} = 'uk' then m.ie_product_key else m.uk_product_key end
           where now.product_key = case when ${p.region} = 'uk' then m.uk_product_key else m.ie_product_key end
           order by away.price is null, away.product_key desc
           limit 1) as other_product_id,
          (select ${keyOfTwin}
           from marts.product_category_now member
           join marts.dim_category c on c.category_key = member.category_key
           where member.product_key = now.product_key
           order by ${keyOfTwin} is null, member.depth desc
           limit 1) as other_shelf,
          not exists (
            select from marts.fct_price_spell early
            where early.product_key = now.product_key and early.price is not null
              and early.valid_from <= begun.first_night
              and (early.valid_to is null or early.valid_to > begun.first_night)
          ) as is_late,
          swap_product_id, swap_title, swap_quantity, saving,
          size.pack_size as size, swap_size.pack_size as swap_size, swap_size.pack_measure as size_measure
        from unnest(${[...quantities.keys()]}::text[], ${[...quantities.values()]}::int[]) with ordinality
          as asked (id, quantity, place)
        join marts.product_now now on now.region = ${p.region} and now.product_id = asked.id
        cross join bound
        cross join (
          select min(snapshot_date) as first_night from marts.snapshot
          where region = ${p.region} and snapshot_date >= ${since}
        ) as begun
        left join marts.fct_price_spell first
          on first.product_key = now.product_key and first.valid_from <= bound.first_night
          and (first.valid_to is null or first.valid_to > bound.first_night)
        left join marts.fct_price_spell last
          on last.product_key = now.product_key and last.valid_from <= bound.last_night
          and (last.valid_to is null or last.valid_to > bound.last_night)
        left join lateral (
          select snapshot_date, old_size, new_size, unit
          from marts.fct_pack_change change
          where change.product_key = now.product_key and new_size < old_size
            and snapshot_date > bound.first_night and snapshot_date <= bound.last_night
          order by snapshot_date desc
          limit 1
        ) as pack on true
        left join (
          ${basketSwaps.sql({ items: itemsText(quantities), region: p.region }, { limit: null })}
        ) as swap on swap.product_key = now.product_key
        left join marts.fct_pack_size_spell size
          on size.product_key = now.product_key and size.valid_to is null and size.source <> 'unit_price'
        left join marts.fct_pack_size_spell swap_size
          on swap_size.product_key = swap.swap_product_key and swap_size.valid_to is null
          and swap_size.source <> 'unit_price' and swap_size.pack_measure = size.pack_measure
        order by asked.place`,
        p.region,
      ),
      columns: [...lineColumns, { name: 'quantity', as: 'number' }, { name: 'moved_by', as: 'money' }],
      none: 'The basket is empty.',
    } as Query<Item>,
    totals: {
      caption: 'Total of each night',
      sql: sql`${nights}
        order by snapshot_date, region = ${p.region} desc`,
      columns: columnsOf(basketQuestion, ...basketQuestion.table({} as never)),
      none: 'No complete night has the products.',
    } as Query<BasketNight>,
    away: {
      caption: 'Products that only the other region has',
      sql: sql`
        select product_id, title
        from marts.product_now
        where region <> ${p.region} and product_id = any (${p.away === undefined ? [] : itemsOf(p.away).ids})`,
      columns: fields('product_id', 'title'),
      none: 'None is left out.',
    } as Query<AwayItem>,
    rate: {
      caption: 'Exchange rate',
      sql: sql`
        select rate, on_date, source
        from marts.fx_rate
        where base = 'EUR' and quote = 'GBP'
          and on_date between ${lastCertified(p.region)} - 7 and ${lastCertified(p.region)}
        order by on_date desc
        limit 1`,
      columns: [
        { name: 'rate', heading: 'Pounds for one euro', as: 'decimal' },
        { name: 'on_date', as: 'date' },
      ],
      none: 'No rate is known.',
    } as Query<{ rate: string }>,
    found: foundQuery(p.find, p.region),
    lines: lineNights(p.region),
  };
}
