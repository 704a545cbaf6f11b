import { basket, Items, itemsOf, mostOfOne } from './basket.ts';
import { RegionParameter } from './parameters.ts';
import { cut, defineQuestion, fields } from './question.ts';
import { sql } from './sql.ts';

/** Part of a pack that a swap may lack: sizes such as 330 and 333 ml are the same. */
export const tolerance = 0.05;

export const basketSwaps = defineQuestion({
  parameters: { items: Items, region: RegionParameter },
  columns: [
    ...fields('product_id', 'title'),
    { name: 'quantity', heading: 'Quantity', as: 'number' },
    { name: 'cost', heading: 'Cost', as: 'money' },
    { name: 'swap_product_id', heading: 'Swap id' },
    { name: 'swap_title', heading: 'Swap' },
    { name: 'swap_quantity', heading: 'Swap quantity', as: 'number' },
    { name: 'swap_cost', heading: 'Swap cost', as: 'money' },
    { name: 'saving', heading: 'Saving', as: 'money' },
    ...fields('unit_of_measure'),
    { name: 'content', as: 'decimal' },
    { name: 'swap_content', as: 'decimal' },
    { name: 'swap_price', as: 'money' },
    { name: 'swap_unit_price', as: 'money' },
    ...fields('currency', 'product_key'),
    { name: 'swap_product_key', as: 'key' },
  ],
  table: () => ['title', 'quantity', 'cost', 'swap_product_id', 'swap_title', 'swap_quantity', 'swap_cost', 'saving'],
  isWhole: true,
  settle: basket.settle!,
  // A price by its price per unit is the content that it buys.
  sql: ({ items, region }, part) => {
    const { ids, quantities } = itemsOf(String(items));
    return sql`
    with item as materialized (
      select asked.place, asked.quantity, now.*, price / nullif(unit_price, 0) as content
      from (
        select id, sum(quantity)::int as quantity, min(place) as place
        from unnest(${ids}::text[], ${quantities}::int[]) with ordinality as asked (id, quantity, place)
        group by id
      ) as asked
      join marts.product_now now on now.region = ${region} and now.product_id = asked.id
    ), shelf as materialized (
      select item.place, own.category_key
      from item
      cross join lateral (
        select category_key
        from marts.product_category_now
        where product_key = item.product_key
        order by depth desc
        fetch first 1 row with ties
      ) as own
    ), member as materialized (
      select category_key, product_key
      from marts.product_category_now
      where category_key = any (array(select category_key from shelf))
    ), offered as materialized (
      select member.category_key, now.product_id, now.title, now.price, now.unit_price, now.unit_of_measure,
        now.product_key, price / unit_price as content
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
      where offered.unit_of_measure = item.unit_of_measure
        and other.quantity <= ${mostOfOne} and other.quantity * other.price < item.quantity * item.price
      order by item.place, other.quantity * other.price, other.unit_price, other.product_key
    )
    select
      item.product_id, item.title, item.quantity, item.quantity * item.price as cost,
      swap.product_id as swap_product_id, swap.title as swap_title, swap.quantity as swap_quantity,
      swap.quantity * swap.price as swap_cost,
      item.quantity * item.price - swap.quantity * swap.price as saving,
      item.unit_of_measure, round(item.content, 4) as content, round(swap.content, 4) as swap_content,
      swap.price as swap_price, swap.unit_price as swap_unit_price, item.currency, item.product_key,
      swap.product_key as swap_product_key
    from item
    left join swap using (place)
    order by item.place
    ${cut(part)}`;
  },
  none: () => 'The basket is empty.',
});
