import { fields } from './columns.ts';
import { RegionParameter, TheProduct } from './parameters.ts';
import { keyOf, shelvesOf } from './product.ts';
import { defineQuestion } from './question.ts';
import { sql } from './sql.ts';

export const unitPriceRank = defineQuestion({
  name: 'unit-price-rank',
  about: "a product's rank by unit price among the products of its shelf",
  parameters: { region: RegionParameter, product: TheProduct },
  columns: [
    { name: 'rank', heading: 'Rank', as: 'number' },
    { name: 'products', heading: 'Of', as: 'number' },
    { name: 'category_path', heading: 'Shelf' },
    ...fields('region', 'product_id', 'title', 'brand'),
    { name: 'unit_price', heading: 'Per unit', as: 'money' },
    ...fields('unit_of_measure', 'price', 'currency'),
    ...fields('is_asked', 'product_key', 'category_key'),
  ],
  table: () => ['rank', 'products', 'product_id', 'title', 'unit_price', 'unit_of_measure', 'price', 'category_path'],
  key: ['region', 'category_key', 'product_id'],
  rows: ({ region, product }) => sql`
    with shelf as materialized (${shelvesOf(keyOf(region, product))})
    select *
    from (
      select
        rank() over shelf_and_unit as rank, count(*) over (partition by category_key, unit_of_measure) as products,
        (select path from marts.dim_category c where c.category_key = member.category_key) as category_path,
        now.region, product_id, title, brand, unit_price, unit_of_measure, price, currency,
        price / nullif(pack_size, 0) as price_of_content, product_id = ${product} as is_asked, product_key, category_key
      from marts.product_category_now member
      join marts.product_now now using (product_key)
      join (select product_key, pack_size from marts.dim_product) as pack using (product_key)
      where member.category_key = any (array(select category_key from shelf))
        and now.availability = 'available' and unit_price > 0
        and unit_of_measure = (
          select unit_of_measure from marts.product_now where product_key = ${keyOf(region, product)})
      window shelf_and_unit as (partition by category_key, unit_of_measure order by unit_price)
    ) as ranked`,
  // Prices per unit are rounded: of equal ones, the first is cheaper for its content.
  order: () => sql`category_path, unit_of_measure, rank, price_of_content, product_key`,
  none: () => 'Nothing of its unit is for sale on its shelf.',
});
