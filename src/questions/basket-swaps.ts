import { basket, Items, itemsOf, maxOfOne } from './basket.ts';
import { fields } from './columns.ts';
import { RegionParameter } from './parameters.ts';
import { shelvesOf } from './product.ts';
import { defineQuestion } from './question.ts';
import { type Sql, sql } from './sql.ts';

/** Part of a pack that a swap may lack: sizes such as 330 and 333 ml are the same. */
const tolerance = 0.05;

/** Kind of goods: the last word of a name in the singular, without its brand, its size and what comes with it. */
const kindOf = (of: Sql) => sql`nullif(regexp_replace(regexp_replace(
          replace(lower(${of}.title), lower(coalesce(${of}.brand, '')), ''), '\\s(loose|in|with|for|\\d).*', ''),
          '^.*\\W|s$', '', 'g'), '')`;

export const basketSwaps = defineQuestion({
  name: 'basket-swaps',
  about: 'the cheapest product of the same kind and shelf for the content of each product of a basket',
  parameters: { items: Items, region: RegionParameter },
  columns: [
    ...fields('region', 'product_id', 'title', 'quantity', 'cost'),
    { name: 'swap_product_id', heading: 'Swap id' },
    { name: 'swap_title', heading: 'Swap', names: { '': 'nothing is cheaper' } },
    ...fields('swap_quantity', 'swap_cost'),
    { name: 'saving', as: 'money', names: { '': 'none' } },
    ...fields('unit_of_measure', 'currency', 'product_key'),
  ],
  table: () => ['title', 'quantity', 'cost', 'swap_title', 'swap_quantity', 'swap_cost', 'saving', 'swap_product_id'],
  isWhole: true,
  settle: basket.settle!,
  // A price by its price per unit is the content that it buys. What is out of stock costs what it last cost for sale.
  // A swap costs less than members pay, too.
  key: ['region', 'product_id'],
  rows: ({ items, region }) => {
    const { ids, quantities } = itemsOf(String(items));
    return sql`
    with item as materialized (
      select asked.place, asked.quantity, now.*, sale_price / nullif(sale_unit_price, 0) as content,
        least(loyalty_price, sale_price) as paid_price
      from (
        select id, sum(quantity)::int as quantity, min(place) as place
        from unnest(${ids}::text[], ${quantities}::int[]) with ordinality as asked (id, quantity, place)
        group by id
      ) as asked
      join marts.product_now now on now.region = ${region} and now.product_id = asked.id
    ), shelf as materialized (
      select item.place, own.category_key
      from item cross join lateral (${shelvesOf(sql`item.product_key`)}) as own
    ), member as materialized (
      select category_key, product_key
      from marts.product_category_now
      where category_key = any (array(select category_key from shelf))
    ), offered as materialized (
      select member.category_key, now.product_id, now.title, now.price, now.unit_price, now.unit_of_measure,
        now.product_key, now.brand, price / unit_price as content
      from member
      join marts.product_now now using (product_key)
      where availability = 'available' and unit_price > 0 and price > 0
    ), swap as (
      select distinct on (item.place) item.place, other.*
      from item
      join shelf using (place)
      join offered using (category_key)
      cross join lateral (
        select offered.*,
          greatest(1, ceil(item.quantity * item.content / offered.content - ${tolerance}::numeric))::int as quantity
      ) as other
      where offered.unit_of_measure = item.sale_unit_of_measure and ${kindOf(sql`offered`)} = ${kindOf(sql`item`)}
        and other.quantity <= ${maxOfOne} and other.quantity * other.price < item.quantity * item.paid_price
      order by item.place, other.quantity * other.price, other.unit_price, other.product_key
    )
    select
      item.region, item.product_id, item.title, item.quantity, item.quantity * item.sale_price as cost,
      swap.product_id as swap_product_id, swap.title as swap_title, swap.quantity as swap_quantity,
      swap.quantity * swap.price as swap_cost,
      item.quantity * item.sale_price - swap.quantity * swap.price as saving,
      item.sale_unit_of_measure as unit_of_measure, item.currency, item.product_key
    from item
    left join swap using (place)`;
  },
  order: () => sql`item.place`,
  none: () => 'The basket is empty.',
});
