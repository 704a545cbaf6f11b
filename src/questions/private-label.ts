import { firstDerived, lastDerived } from './certified.ts';
import { categoryAbout, dateAbout, RegionParameter } from './parameters.ts';
import { cut, defineQuestion, fields } from './question.ts';
import { sql } from './sql.ts';

/** Products of a kind that a shelf needs before its unit prices are compared. */
const leastOnShelf = 3;

export const privateLabel = defineQuestion({
  parameters: {
    region: RegionParameter,
    category: categoryAbout('parts of this category (default: departments of the region)'),
    since: dateAbout('price changes since this night (default: 30 days before the last one, or the first night)'),
  },
  columns: [
    { name: 'category_path', heading: 'Category' },
    { name: 'products', heading: 'For sale', as: 'number' },
    { name: 'private_label_products', heading: 'Private label', as: 'number' },
    { name: 'private_label_share_pct', heading: 'Share, %', as: 'decimal', decimals: 1 },
    { name: 'shelves_compared', heading: 'Shelves compared', as: 'number' },
    { name: 'unit_price_gap_pct', heading: 'Against brands, per unit', as: 'percent' },
    { name: 'private_label_change_pct', heading: 'Price change', as: 'percent' },
    { name: 'brand_change_pct', heading: 'Brands', as: 'percent' },
    ...fields('category_key'),
  ],
  table: () => [
    ...['category_path', 'products', 'private_label_share_pct', 'shelves_compared', 'unit_price_gap_pct'],
    ...['private_label_change_pct', 'brand_change_pct'],
  ],
  isWhole: true,
  isDerived: true,
  sql: ({ region, category, categoryKeys, since }, part) => {
    const last = lastDerived(region);
    const keys = sql`${categoryKeys ?? []}::int[]`;
    return sql`
    with sold as materialized (
      select product_key, brand, price::float8 as price, unit_price::float8 as unit_price, unit_of_measure
      from marts.product_now
      where region = ${region} and availability = 'available'
    ), own_brand as materialized (
      -- The key of each spelling, not of each product.
      select brand
      from (select distinct brand from sold offset 0) as spelling
      where marts.brand_key(brand) in (select brand_key from marts.private_label)
    ), product as materialized (
      select product_key, price, unit_price, unit_of_measure, own_brand.brand is not null as is_own
      from sold
      left join own_brand using (brand)
    ), part as materialized (
      select category_key, path from marts.dim_category
      where region = ${region} and gone_at is null
        and ${category === undefined ? sql`depth = 0` : sql`parent_key = any (${keys})`}
    ), member as materialized (
      select category_key, product.*
      from marts.product_category_now placed
      join product using (product_key)
      where category_key = any (array(select category_key from part))
        ), counted as (
      select category_key, count(*)::int as products, count(*) filter (where is_own)::int as own
      from member
      group by category_key
    ), leaf as materialized (
      -- A shelf has no categories below it.
      select product_key, category_key as shelf_key
      from marts.product_category_now
      where category_key = any (array(
        select category_key from marts.dim_category where region = ${region} and gone_at is null
        except
        select parent_key from marts.dim_category where gone_at is null))
    ), shelf as (
      select member.category_key, leaf.shelf_key, unit_of_measure,
        percentile_cont(0.5) within group (order by unit_price) filter (where is_own)
          / percentile_cont(0.5) within group (order by unit_price) filter (where not is_own) as ratio
      from member
      join leaf on leaf.product_key = member.product_key
      where unit_price > 0
      group by member.category_key, leaf.shelf_key, unit_of_measure
      having least(count(*) filter (where is_own), count(*) filter (where not is_own)) >= ${leastOnShelf}::int
    ), gap as (
      select category_key, count(*)::int as shelves, percentile_cont(0.5) within group (order by ratio) as ratio
      from shelf
      group by category_key
    ), earlier as materialized (
      select product_key, price::float8 as price
      from (
        select * from marts.as_of(${region}, ${since ?? sql`greatest(${last} - 30, ${firstDerived(region)})`})
        -- Conditions below it would make the planner expect few rows.
        offset 0
      ) as night
      where price > 0 and availability = 'available'
    ), moved as (
      select category_key,
        exp(avg(ln(member.price / earlier.price)) filter (where is_own)) as own,
        exp(avg(ln(member.price / earlier.price)) filter (where not is_own)) as branded
      from member
      join earlier on earlier.product_key = member.product_key
      where member.price between earlier.price / 10 and earlier.price * 10
      group by category_key
    )
    select
      path as category_path, products, counted.own as private_label_products,
      round(100.0 * counted.own / products, 2) as private_label_share_pct, coalesce(shelves, 0) as shelves_compared,
      round(100 * (gap.ratio - 1)::numeric, 2) as unit_price_gap_pct,
      round(100 * (moved.own - 1)::numeric, 2) as private_label_change_pct,
      round(100 * (moved.branded - 1)::numeric, 2) as brand_change_pct, category_key
    from counted
    join part using (category_key)
    left join gap using (category_key)
    left join moved using (category_key)
    order by products desc, path
    ${cut(part)}`;
  },
  none: () => 'Nothing is for sale there.',
});
