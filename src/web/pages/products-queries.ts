import { z } from 'zod';
import { nightsIn, type RegionCode } from '../../base/model/index.ts';
import { firstDerived, lastDerived } from '../../questions/certified.ts';
import { bestFirst, readWanted } from '../../questions/find-products.ts';
import { amount, RegionParameter, textUpTo } from '../../questions/parameters.ts';
import { lineColumns, type ProductLine, withLine } from '../../questions/product-line.ts';
import { fields } from '../../questions/question.ts';
import { allOf, PageRows, type Sql, sql } from '../../questions/sql.ts';
import { CategoryParameter, productsIn, trailOf } from '../category-choice.tsx';
import type { Query } from '../page.ts';
import { PageNumber } from '../parameters.ts';
import { lineNights } from '../product-table.tsx';
import { hintQueries } from './search-hints-queries.ts';

export interface Found extends ProductLine {
  /** Change in the nights of the filter for dearer and cheaper products; only that has it. */
  readonly moved_pct?: string;
}

export interface Facet {
  /**
   * total, offer, members, out, dearer, cheaper, brand or category; any_offer, any_move and any_stock count the
   * products without that filter.
   */
  readonly facet: string;
  readonly key: string | null;
  readonly label: string | null;
  /** Null: more products match than are counted. */
  readonly products: string | null;
}

const rowsOfPage = 30;
/** Products that the counts read at most: more would take longer than the page. */
export const mostCounted = 2_000;
const brandsShown = 10;

const availabilities = {
  listed: sql`n.availability in ('available', 'unavailable')`,
  available: sql`n.availability = 'available'`,
  unavailable: sql`n.availability = 'unavailable'`,
  gone: sql`n.availability in ('absent', 'delisted')`,
  any: null,
} as const;

const offers = {
  any: null,
  promotion: sql`n.on_promotion`,
  loyalty: sql`n.loyalty_price is not null`,
  none: sql`not n.on_promotion`,
} as const;

/** What a unit costs those who pay least, as a row shows it; what is out of stock comes last. */
const bestPerUnit = sql`n.availability <> 'available',
          n.unit_price * least(n.loyalty_price, n.price) / nullif(n.price, 0) nulls last, n.product_key`;

/**
 * Every order is backed by an index (src/db/functions/index-products.sql), so that the cost of a page does not depend
 * on the number of products. Prices are shown for products out of stock, too; `ofSale` has the same order for those for
 * sale.
 */
export const orders = {
  best: { by: bestFirst, holds: null },
  number: { by: sql`n.region, n.product_id`, holds: null },
  newest: { by: sql`n.product_key desc`, holds: null },
  title: { by: sql`left(n.title, 16), n.title, n.product_key`, holds: null },
  cheapest: {
    by: sql`n.price nulls last, n.product_key`,
    ofSale: sql`(n.sale_price * 100)::int nulls last, n.product_key`,
    holds: null,
  },
  // Products without a price are excluded: listing them last would need another index.
  dearest: {
    by: sql`n.price desc, n.product_key`,
    ofSale: sql`(n.sale_price * 100)::int desc, n.product_key`,
    holds: sql`n.price is not null`,
  },
  'cheapest-unit': {
    by: sql`n.unit_price nulls last, n.product_key`,
    ofSale: sql`(n.sale_unit_price * 10000)::bigint nulls last, n.product_key`,
    holds: null,
  },
  'dearest-unit': {
    by: sql`n.unit_price desc, n.product_key`,
    ofSale: sql`(n.sale_unit_price * 10000)::bigint desc, n.product_key`,
    holds: sql`n.unit_price is not null`,
  },
  // Among dearer or cheaper products only; there are few.
  moved: { by: sql`abs(moved.change_pct) desc nulls last, n.product_key`, holds: null },
} as const;

export const orderNames: Readonly<Record<keyof typeof orders, string>> = {
  best: 'best match',
  number: 'product number',
  newest: 'newest',
  title: 'title',
  cheapest: 'lowest price',
  dearest: 'highest price',
  'cheapest-unit': 'lowest per unit',
  'dearest-unit': 'highest per unit',
  moved: 'largest change',
};

const names = <Key extends string>(of: Readonly<Record<Key, unknown>>) => Object.keys(of) as [Key, ...Key[]];

const moves = { dearer: 'rises', cheaper: 'falls' } as const;

export const parameters = {
  q: textUpTo(2_000, 2).meta({
    description: 'Words of the title or brand, a barcode, an id, or the address of a product',
  }),
  region: RegionParameter,
  category: CategoryParameter,
  instead_of: textUpTo(2_000).meta({ description: 'Title of a product that this region lacks' }),
  brand: textUpTo(200).meta({ description: 'A brand: product_now.brand_key' }),
  availability: z.enum(names(availabilities)).default('listed'),
  offer: z.enum(names(offers)).default('any'),
  moved: z
    .enum(names(moves))
    .optional()
    .meta({ description: 'Only products whose shelf price rose or fell in 30 nights' }),
  price_from: amount(),
  price_to: amount(),
  unit: z.enum(['kg', 'litre', 'each']).optional(),
  unit_price_from: amount(),
  unit_price_to: amount(),
  sort: z
    .enum(names(orders))
    .optional()
    .meta({
      description:
        'Order; by default the best match of words, the largest change of products that moved, the newest of a ' +
        'category, else the number',
    }),
  page: PageNumber,
} as const;

export type Parameters = z.output<z.ZodObject<typeof parameters>>;

/** All queries of the page that finds products. */
export function productsQueries(p: Parameters) {
  const wanted = p.q === undefined ? null : readWanted(p.q, p.region);
  const region = wanted?.region ?? p.region;
  // The address of a product of the other region overrides the category, which belongs to this region.
  const category = region === p.region ? p.category : undefined;
  const sort = orderOf(p, category);
  // No index has prices for members: among all products the order is that of the shelf.
  const isNarrow = wanted !== null || category !== undefined;
  const order = sort === 'cheapest-unit' && isNarrow ? { by: bestPerUnit, holds: null } : orders[sort];
  const matchingIn = ({ moved, offer, availability }: Pick<Parameters, 'moved' | 'offer' | 'availability'>) => sql`
        from marts.product_now n ${amongThose(category)}
        ${wanted ? sql`join ${wanted.found} as found using (product_key)` : sql``}
        ${moved === undefined ? sql`` : sql`join ${movedProducts(region, moves[moved])} as moved using (product_key)`}
        where n.region = ${region} and ${allOf(
          availabilities[availability],
          offers[offer],
          order.holds,
          p.brand !== undefined && sql`n.brand_key = ${p.brand}`,
          p.price_from !== undefined && sql`n.price >= ${p.price_from}`,
          p.price_to !== undefined && sql`n.price <= ${p.price_to}`,
          p.unit !== undefined && sql`n.unit_of_measure = ${p.unit}`,
          p.unit_price_from !== undefined && sql`n.unit_price >= ${p.unit_price_from}`,
          p.unit_price_to !== undefined && sql`n.unit_price <= ${p.unit_price_to}`,
        )}`;
  const matching = matchingIn(p);
  const first = (which: Sql, by: Sql) => sql`(
            select n.product_key${matching} and ${which}
            order by ${by}
            limit ${p.page * rowsOfPage + 1})`;
  const isByPrice = 'ofSale' in order && !isNarrow && p.moved === undefined;
  const ordered = isByPrice
    ? sql`
        from (${first(sql`n.availability = 'available'`, order.ofSale)}
          union all ${first(sql`n.availability <> 'available'`, order.by)}) as near
        join marts.product_now n using (product_key)`
    : matching;
  /** Products with other filters, of which a chip that replaces one counts some; null: those that match. */
  const others = (filters: Partial<Parameters>) => sql`(
          select n.product_key, n.on_promotion, n.loyalty_price, n.availability${matchingIn({ ...p, ...filters })}
          limit ${mostCounted + 1}
        )`;
  const ofAnyOffer = p.offer === 'any' ? sql`matched` : others({ offer: 'any' });
  const ofAnyStock = p.availability === 'listed' ? sql`matched` : others({ availability: 'unavailable' });
  return {
    products: {
      caption: 'Products',
      sql: withLine(
        sql`
        select n.product_key${p.moved === undefined ? sql`` : sql`, moved.change_pct as moved_pct`}${ordered}
        order by ${order.by}
        limit ${new PageRows(rowsOfPage)} offset ${(p.page - 1) * rowsOfPage}`,
        region,
      ),
      columns: lineColumns,
      none: 'No products match all of that.',
    } as Query<Found>,
    facets: {
      caption: 'Counts of the products that match',
      sql: sql`
        with matched as materialized (
          select n.product_key, n.brand, n.brand_key, n.on_promotion, n.loyalty_price, n.availability${matching}
          limit ${mostCounted + 1}
        ), total as materialized (
          select count(*) as products, count(*) <= ${mostCounted} as is_known from matched
        ), either as materialized (
          select n.product_key${matchingIn({ ...p, moved: undefined })}
          limit ${mostCounted + 1}
        ), moved as materialized (
          select count(*) filter (where is_dearer) as dearer, count(*) filter (where not is_dearer) as cheaper
          from ${movedProducts(region, 'both', sql`array(select product_key from either)`)} as move
          -- The first condition spares the function, the second one the row.
          where (select count(*) from either) <= ${mostCounted}
          having (select count(*) from either) <= ${mostCounted}
        )
        select 'total' as facet, null as key, null as label, products from total
        union all
        select
          'offer', null, null, case when count(*) <= ${mostCounted} then count(*) filter (where on_promotion) end
        from ${ofAnyOffer} as one
        union all
        select
          'members', null, null,
          case when count(*) <= ${mostCounted} then count(*) filter (where loyalty_price is not null) end
        from ${ofAnyOffer} as one
        union all
        select
          'out', null, null,
          case when count(*) <= ${mostCounted} then count(*) filter (where availability = 'unavailable') end
        from ${ofAnyStock} as one
        union all
        select 'any_offer', null, null, count(*) from ${ofAnyOffer} as one where ${p.offer !== 'any'}::boolean
        union all
        select 'any_move', null, null, count(*) from either where ${p.moved !== undefined}::boolean
        union all
        select 'any_stock', null, null, count(*) from ${ofAnyStock} as one where ${p.availability !== 'listed'}::boolean
        union all
        select 'dearer', null, null, dearer from moved
        union all
        select 'cheaper', null, null, cheaper from moved
        union all
        select * from (
          select 'brand', brand_key, mode() within group (order by brand), count(*) as products
          from matched where brand_key is not null and (select is_known from total)
          group by brand_key order by products desc, brand_key limit ${brandsShown}
        ) as brand
        union all
        select * from (
          select
            'category', c.category_key::text, trim(c.name) as label,
            case when (select is_known from total) then coalesce(counted.products, 0) end as products
          from marts.dim_category c
          left join (
            select m.category_key, count(*) as products
            from matched
            -- Looked up for these products alone.
            cross join lateral (
              select category_key from marts.product_category_now
              where product_key = matched.product_key
              offset 0
            ) as m
            where (select is_known from total)
            group by m.category_key
          ) as counted using (category_key)
          where c.region = ${region} and c.gone_at is null
            and c.parent_key is not distinct from ${category ?? null}::int
          order by label limit 60
        ) as category`,
      columns: [...fields('facet', 'label'), { name: 'products', as: 'number' }],
    } as Query<Facet>,
    trail: trailOf(sql`${category ?? null}::int`, {
      caption: 'Path of the category',
      none: 'No category is chosen.',
    }),
    ...hintQueries(p.q, region),
    nights: lineNights(region),
  };
}

/** Products, of all or of some keys, whose price differs from that of 30 nights ago. */
function movedProducts(region: RegionCode, direction: 'rises' | 'falls' | 'both', keys: Sql = sql`null`): Sql {
  const until = lastDerived(region);
  const since = sql`coalesce(${lastDerived(region, sql`${until} - ${nightsIn.month}::int`)}, ${firstDerived(region)})`;
  const sign = { rises: 1, falls: -1, both: null }[direction];
  return sql`(
            select product_key, new_minor > old_minor as is_dearer,
              100.0 * (new_minor - old_minor) / old_minor as change_pct
            from marts.moved_prices(${region}, ${since}, ${until}, product_keys => ${keys})${
              sign === null
                ? sql``
                : sql`
            where sign(new_minor - old_minor) = ${sign}::int`
            }
          )`;
}

/**
 * Without words nothing is a better match. A category has its keys in the order of an index; by number, all of a
 * department would be read and sorted.
 */
export function orderOf(
  { q, sort, moved }: Pick<Parameters, 'q' | 'sort' | 'moved'>,
  category: number | undefined,
): keyof typeof orders {
  const isKnown = { best: q !== undefined, moved: moved !== undefined };
  if (sort !== undefined && (isKnown[sort as keyof typeof isKnown] ?? true)) return sort;
  if (q !== undefined) return 'best';
  if (moved !== undefined) return 'moved';
  return category === undefined ? 'number' : 'newest';
}

/** A join, because the planner estimates 200 rows for `in (select …)` with any category. */
function amongThose(category: number | undefined): Sql {
  const products = productsIn(category);
  return products === null ? sql`` : sql`join ${products} as chosen using (product_key)`;
}
