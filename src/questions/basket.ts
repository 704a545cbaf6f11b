import { z } from 'zod';
import { isCertified } from './certified.ts';
import { fields } from './columns.ts';
import { checkProducts } from './named.ts';
import { RegionParameter, Since, Until, within } from './parameters.ts';
import { defineQuestion } from './question.ts';
import { allOf, type Sql, sql } from './sql.ts';

export const maxProducts = 100;

const item = /[\w-]+(:[1-9]\d{0,2})?/.source;

/** Largest quantity of a product. */
export const maxOfOne = 999;

/** Products with their quantities, such as `254331021:2,289211475`. */
export const Items = z
  .string()
  .regex(
    new RegExp(`^${item}(,${item}){0,${maxProducts - 1}}$`),
    `must be at most ${maxProducts} product ids with quantities such as 1042:2,1077`,
  )
  .meta({ description: 'product ids with quantities: 1042:2,1077', repeats: true });

export function itemsOf(text: string) {
  const items = text.split(',').map((item) => item.split(':'));
  return { ids: items.map(([id]) => id!), quantities: items.map(([, quantity = '1']) => Number(quantity)) };
}

/** Order of the products of a relisted article: the one for sale, then one out of stock, then the newest. */
export const soldFirst = (of: Sql) =>
  sql`array_position('{available,unavailable}', ${of}.availability), ${of}.product_key desc`;

export const basket = defineQuestion({
  name: 'basket',
  about: 'what a basket costs each night, in both regions',
  parameters: { items: Items, region: RegionParameter.describe('region of the ids'), since: Since, until: Until },
  columns: [
    ...fields('snapshot_date', 'region', 'products'),
    { name: 'missing', heading: 'Missing', as: 'number' },
    { name: 'total', heading: 'Total', as: 'money' },
    { name: 'loyalty_total', heading: 'Members', as: 'money' },
    { name: 'shared_products', heading: 'In both regions', as: 'number' },
    { name: 'shared_total', heading: 'Total of those in both', as: 'money' },
    { name: 'missing_titles', heading: 'Without a price', as: 'sentence' },
    ...fields('currency'),
  ],
  table: () => [
    ...(['snapshot_date', 'region', 'products', 'total', 'loyalty_total', 'shared_products', 'shared_total'] as const),
    'missing_titles',
  ],
  async settle(parameters, ask) {
    await checkProducts(ask, parameters.region, ...itemsOf(parameters.items).ids);
    return parameters;
  },
  // A night on which a product has no price has no total: a sum without it would look like a fall. One that has a price
  // on none of the nights is left out. Both regions share the products that have a price in each on the same night.
  key: ['region', 'snapshot_date'],
  rows: ({ items, region, ...dates }) => {
    const { ids, quantities } = itemsOf(String(items));
    const [here, there] = region === 'uk' ? [sql`uk`, sql`ie`] : [sql`ie`, sql`uk`];
    return sql`
    with home as materialized (
      select p.product_key, p.title, sum(asked.quantity) as quantity
      from unnest(${ids}::text[], ${quantities}::int[]) as asked (id, quantity)
      join marts.product_now p on p.region = ${region} and p.product_id = asked.id
      group by p.product_key, p.title
    ), item as materialized (
      select ${region} as region, product_key as home_key, product_key, title, quantity from home
      union all
      select '${there}', home.product_key, m.${there}_product_key, title, quantity
      from home
      join marts.region_match m on m.tier < 3 and m.${here}_product_key = home.product_key
    ), spell as materialized (
      select product_key, price, loyalty_price, valid_from, valid_to
      from marts.fct_price_spell
      where product_key = any (array(select product_key from item))
    ), night as (
      select s.region, s.snapshot_date, region.currency
      from marts.snapshot s
      join marts.dim_region region on region.region = s.region
      where ${allOf(isCertified, within(sql`snapshot_date`, dates))}
    ), priced as (
      -- A relisted article has several products: the one that was for sale that night counts.
      select distinct on (night.region, night.snapshot_date, item.home_key) night.*, item.home_key, title,
        quantity * price as amount, quantity * least(loyalty_price, price) as loyalty_amount
      from night
      join item on item.region = night.region
      left join spell
        on spell.product_key = item.product_key and spell.valid_from <= night.snapshot_date
        and (spell.valid_to is null or spell.valid_to > night.snapshot_date)
      order by night.region, night.snapshot_date, item.home_key, price is null, item.product_key desc
    ), counted as (
      select *, count(amount) over (partition by region, home_key) > 0 as is_ever_priced,
        count(amount) over (partition by snapshot_date, home_key) = 2 as is_shared
      from priced
    )
    select
      snapshot_date, region, count(*)::int as products, count(*) filter (where amount is null)::int as missing,
      case when bool_and(amount is not null or not is_ever_priced) then sum(amount) end as total,
      case when bool_and(amount is not null or not is_ever_priced) then sum(loyalty_amount) end as loyalty_total,
      count(*) filter (where is_shared)::int as shared_products,
      sum(amount) filter (where is_shared) as shared_total,
      string_agg(title, ', ' order by title) filter (where amount is null) as missing_titles, currency
    from counted
    group by snapshot_date, region, currency`;
  },
  order: ({ region }) => sql`snapshot_date desc, region = ${region} desc`,
  async notes({ items, region }, ask) {
    const here = region === 'uk' ? sql`uk` : sql`ie`;
    const { rows } = await ask(sql`
      select string_agg(title, ', ' order by title) as titles from marts.product_now
      where region = ${region} and product_id = any (${itemsOf(String(items)).ids}::text[]) and product_key not in (
        select ${here}_product_key from marts.region_match where tier < 3)`);
    const { titles } = rows[0]!;
    return titles === null ? [] : [`Without a sure match in the other region, so not in its totals: ${titles}.`];
  },
  none: () => 'There is no night yet.',
});
