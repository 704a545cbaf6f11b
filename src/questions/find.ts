import { lastDerived } from './certified.ts';
import { fields, lookedUp } from './columns.ts';
import { nightsCompared } from './movers.ts';
import { bestFirst, readWanted } from './named.ts';
import { amount, categoryAbout, choice, oneOf, RegionParameter, textUpTo } from './parameters.ts';
import { isOwn } from './private-label.ts';
import { defineQuestion } from './question.ts';
import { allOf, joined, type Sql, sql } from './sql.ts';

const availabilities = {
  listed: sql`(n.is_for_sale or n.availability = 'unavailable')`,
  available: sql`n.is_for_sale`,
  unavailable: sql`not n.is_for_sale and n.availability = 'unavailable'`,
  gone: sql`not n.is_for_sale and n.availability in ('absent', 'delisted')`,
  any: null,
} as const;

const offers = {
  any: null,
  promotion: sql`n.on_promotion and n.is_for_sale`,
  // A price of the product or, of what is sold by weight, one per unit.
  loyalty: sql`n.is_for_sale and (n.loyalty_price is not null or n.on_promotion and exists (
      select from marts.fct_promotion_check c
      where c.product_key = n.product_key and c.kind = 'loyalty_unit_price'
        and (c.ended_on is null or c.ended_on > ${lastDerived(sql`n.region`)})))`,
  none: sql`not n.on_promotion`,
} as const;

const salePrice = sql`(n.sale_price * 100)::int`;

/**
 * Every order is backed by an index (src/db/functions/index-products.sql), so that the cost of a page does not depend
 * on the number of products.
 */
const chosen = {
  title: { name: 'A to Z', by: sql`left(n.title, 16), n.title, n.product_key` },
  newest: { name: 'newest', by: sql`n.product_key desc` },
  cheapest: { name: 'lowest shelf price', by: sql`${salePrice}, n.product_key` },
  dearest: { name: 'highest shelf price', by: sql`${salePrice} desc, n.product_key` },
  'cheapest-unit': { name: 'lowest per unit', by: sql`(n.sale_unit_price * 10000)::bigint, n.product_key` },
} as const;
export const orders = {
  ...chosen,
  best: { name: 'best match', by: bestFirst },
  moved: { name: 'largest change', by: sql`abs(moved.change_pct) desc nulls last, n.product_key` },
} as const;

/** What a unit costs those who pay least, one unit after another, because prices of different units do not compare. */
const perUnit = sql`not n.is_for_sale, n.sale_unit_of_measure is null,
      count(*) over (partition by n.sale_unit_of_measure) desc, n.sale_unit_of_measure,
      n.sale_unit_price * least(n.loyalty_price, n.sale_price) / nullif(n.sale_price, 0) nulls last,
      n.product_key`;

const names = <Key extends string>(of: Readonly<Record<Key, unknown>>) => Object.keys(of) as [Key, ...Key[]];

type Wanted = { sort?: keyof typeof chosen | undefined } & Partial<Record<'words' | 'moved' | 'category', unknown>>;

/** A category has its keys in the order of an index; by name, all of a department would be read and sorted. */
export function orderOf({ words, sort, moved, category }: Wanted): keyof typeof orders {
  if (sort !== undefined) return sort;
  if (words !== undefined) return 'best';
  if (moved !== undefined) return 'moved';
  return category === undefined ? 'title' : 'newest';
}

/** Whether few enough products are asked for to sort them without an index. */
export const isNarrow = ({ words, category, moved }: Wanted) => (words ?? category ?? moved) !== undefined;

/** No index has prices for members or units: among all products the order is that of the shelf. */
function orderBy(wanted: Wanted): Sql {
  const order = orderOf(wanted);
  if (isNarrow(wanted) && order === 'cheapest-unit') return perUnit;
  // Of equal matches those first that moved most: cereals by their changes, then biscuits, for "cereal".
  const isOfMoved = order === 'best' && wanted.moved !== undefined;
  return isOfMoved ? sql`found.relevance desc, ${orders.moved.by}` : orders[order].by;
}

/** Products whose price differs from that of 30 nights ago, or from that of the first night. */
function movedProducts(region: string, move: 'dearer' | 'cheaper'): Sql {
  const { since, until } = nightsCompared(region as 'uk', 'month');
  return sql`(
      select product_key, 100.0 * (new_minor - old_minor) / old_minor as change_pct
      from marts.moved_prices(${region}, ${since}, ${until})
      where sign(new_minor - old_minor) = ${move === 'dearer' ? 1 : -1}::int
    )`;
}

export const find = defineQuestion({
  name: 'find',
  about: 'products by words, barcode, category, brand or price',
  parameters: {
    words: textUpTo(2_000, 2).meta({
      description: 'words that begin those of title, brand or category; or a barcode, an id, an address',
    }),
    region: RegionParameter,
    category: categoryAbout('only products in this category or below it now'),
    brand: textUpTo(200).meta({ description: 'only this brand' }),
    availability: oneOf(names(availabilities), 'availability'),
    offer: oneOf(names(offers), 'only products with such an offer'),
    label: choice(['own', 'brand'], 'only own labels of the supermarket, or only brands of others'),
    moved: choice(['dearer', 'cheaper'], 'only products whose shelf price rose or fell in 30 nights'),
    price_from: amount().meta({ description: 'only products that cost at least this' }),
    price_to: amount().meta({ description: 'only products that cost at most this' }),
    unit: choice(['kg', 'litre', 'each'], 'only prices per this unit'),
    sort: choice(
      names(chosen),
      'order (default: best match of words, largest change of those that moved, newest of a category, else name)',
    ),
  },
  columns: [
    ...fields('region', 'product_id', 'title', 'brand', 'price', 'loyalty_price', 'unit_price', 'unit_of_measure'),
    ...fields('currency', 'availability', 'on_promotion'),
    { name: 'moved_pct', heading: 'Change', as: 'percent' },
    ...fields('gtin', 'product_key'),
    { name: 'brand_key' },
    ...lookedUp('d', ...fields('department')),
  ],
  key: ['region', 'product_id'],
  table: ({ moved }) => [
    ...(['product_id', 'title', 'price', 'loyalty_price', 'unit_price', 'unit_of_measure', 'availability'] as const),
    ...(moved === undefined ? [] : (['moved_pct'] as const)),
  ],
  // The address of a product of the other region overrides region and category.
  async settle(parameters) {
    const { words, region } = parameters;
    const wanted = words === undefined ? region : readWanted(words, region).region;
    return wanted === region ? parameters : { ...parameters, region: wanted, category: undefined };
  },
  rows: (parameters) => {
    const { words, region, category, categoryKeys, brand, availability, offer, label, moved, unit } = parameters;
    const { price_from, price_to } = parameters;
    const order = orderOf(parameters);
    // A page in the order of an index begins within the limits.
    const [least, most] = [Math.floor((price_from ?? 0) * 100), Math.ceil((price_to ?? 9e9) * 100)];
    const isWithin = order === 'dearest' || (order === 'cheapest' && (price_from ?? price_to) !== undefined);
    return sql`
    select
      n.region, n.product_id, n.product_key, n.title, n.brand, n.brand_key, n.gtin, n.sale_price as price,
      n.loyalty_price, n.sale_unit_price as unit_price, n.sale_unit_of_measure as unit_of_measure, n.currency,
      n.availability, n.is_for_sale, n.on_promotion,
      ${moved === undefined ? sql`null::numeric` : sql`moved.change_pct`} as moved_pct
    from marts.product_now n${joined(
      // Joins, because the planner estimates 200 rows for in (select …) with any category.
      category !== undefined &&
        sql`
    join (
      select distinct m.product_key from marts.product_category_now m
      where m.category_key = any (${categoryKeys ?? []}::int[])
    ) as chosen using (product_key)`,
      words !== undefined && sql`\n    join ${readWanted(words, region).found} as found using (product_key)`,
      moved !== undefined && sql`\n    join ${movedProducts(region, moved)} as moved using (product_key)`,
    )}
    where n.region = ${region} and ${allOf(
      availabilities[availability],
      offers[offer],
      // They are excluded: listing them last would need another index.
      order === 'dearest' && sql`n.sale_price is not null`,
      isWithin && sql`${salePrice} between ${least}::bigint and ${most}::bigint`,
      brand !== undefined && sql`n.brand_key = marts.brand_key(${brand})`,
      label !== undefined && sql`${isOwn(sql`n.brand_key`)} = ${label === 'own'}`,
      price_from !== undefined && sql`n.sale_price >= ${price_from}`,
      price_to !== undefined && sql`n.sale_price <= ${price_to}`,
      unit && sql`n.sale_unit_of_measure = ${unit}`,
    )}`;
  },
  order: orderBy,
  lookUp: () => sql`join marts.dim_product d on d.product_key = asked.product_key`,
  none: () => 'No products match all of that.',
});
