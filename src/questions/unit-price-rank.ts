import { categoryAbout, ProductParameter, RegionParameter } from './parameters.ts';
import { cut, defineQuestion, fields } from './question.ts';
import { sql } from './sql.ts';

export const unitPriceRank = defineQuestion({
  parameters: {
    region: RegionParameter,
    product: ProductParameter,
    category: categoryAbout('the shelf, if no product names it'),
  },
  columns: [
    { name: 'rank', heading: 'Rank', as: 'number' },
    { name: 'products', heading: 'Of', as: 'number' },
    { name: 'category_path', heading: 'Shelf' },
    ...fields('product_id', 'title', 'brand'),
    { name: 'unit_price', heading: 'Per unit', as: 'money' },
    ...fields('unit_of_measure', 'price', 'currency'),
    { name: 'is_asked', as: 'yes-no' },
    ...fields('product_key', 'category_key'),
  ],
  table: () => ['rank', 'products', 'category_path', 'product_id', 'title', 'unit_price', 'unit_of_measure', 'price'],
  sql: ({ region, product, categoryKeys }, part) => sql`
    with shelf as materialized (
      select category_key from marts.product_category_now
      where ${
        product
          ? sql`product_key = (select product_key from marts.product_now where region = ${region}
            and product_id = ${product})
            and depth = (select max(depth) from marts.product_category_now own
              where own.product_key = product_category_now.product_key)`
          : sql`category_key = any (${categoryKeys ?? []}::int[])`
      }
      group by category_key
    )
    select *
    from (
      select
        rank() over shelf_and_unit as rank, count(*) over (partition by category_key, unit_of_measure) as products,
        (select path from marts.dim_category c where c.category_key = member.category_key) as category_path,
        product_id, title, brand, unit_price, unit_of_measure, price, currency,
        product_id is not distinct from ${product ?? null} as is_asked, product_key, category_key
      from marts.product_category_now member
      join marts.product_now now using (product_key)
      where member.category_key = any (array(select category_key from shelf))
        and now.availability = 'available' and unit_price > 0
      window shelf_and_unit as (partition by category_key, unit_of_measure order by unit_price)
    ) as ranked
    order by category_path, unit_of_measure, rank, product_key
    ${cut(part)}`,
  none: ({ product, category }) =>
    product === undefined && category === undefined
      ? 'Name a product or a category.'
      : 'Nothing with a unit price is for sale on that shelf.',
});
