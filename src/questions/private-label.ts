import { firstDerived, lastDerived } from './certified.ts';
import { fields } from './columns.ts';
import ownBrandNames from './own-brands.json' with { type: 'json' };
import { categoryAbout, dateAbout, RegionParameter, textUpTo } from './parameters.ts';
import { defineQuestion } from './question.ts';
import { type Sql, sql } from './sql.ts';

/** Brands of the supermarket itself, also with more words behind them; the last one is of the simulated supermarket. */
const ownBrands = ownBrandNames.join(', ');

/** Whether a brand, by its key, is one of the supermarket. */
export const isOwn = (key: Sql, brands = ownBrands): Sql => sql`(${key} || ' ' like any (
        select marts.brand_key(name) || ' %' from unnest(string_to_array(${brands}, ',')) as name))`;

/** Products of a kind that a shelf needs before its unit prices are compared. */
const leastOnShelf = 3;

export const privateLabel = defineQuestion({
  name: 'private-label',
  about: 'the share of private labels, their prices against brands, and how both moved',
  parameters: {
    region: RegionParameter,
    category: categoryAbout('parts of this category (default: departments of the region)'),
    since: dateAbout('price changes since this night (default: 30 days before the last one, or the first night)'),
    brands: textUpTo(2_000).default(ownBrands).meta({
      description: 'brands of the supermarket, separated by commas (default: those that are known)',
    }),
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
    ...(['category_path', 'products', 'private_label_share_pct', 'shelves_compared', 'unit_price_gap_pct'] as const),
    ...(['private_label_change_pct', 'brand_change_pct'] as const),
  ],
  key: ['category_key'],
  isWhole: true,
  isDerived: true,
  // A change is the mean over products with a price on both nights. A shelf has no categories below it.
  rows: ({ region, category, categoryKeys, since, brands }) => sql`
    with part as materialized (
      select category_key, path as category_path from marts.dim_category
      where region = ${region} and gone_at is null
        and ${category === undefined ? sql`depth = 0` : sql`parent_key = any (${categoryKeys}::int[])`}
    ), moved as materialized (
      select product_key, ln(nullif(new_minor, 0)::float8 / nullif(old_minor, 0)) as change
      from marts.moved_prices(
        ${region}, ${since ?? sql`greatest(${lastDerived(region)} - 30, ${firstDerived(region)})`},
        ${lastDerived(region)}, with_arrivals => true)
    ), sold as materialized (
      select product_key, brand, unit_price::float8 as unit_price, unit_of_measure
      from marts.product_now
      where region = ${region} and availability = 'available'
    ), own as materialized (
      -- The key of each spelling, not of each product.
      select brand
      from (select distinct brand from sold offset 0) as spelling
      where ${isOwn(sql`marts.brand_key(brand)`, brands)}
    ), placed as materialized (
      select member.category_key, sold.*, own.brand is not null as is_own,
        case when moved.product_key is null then 0 else moved.change end as change
      from marts.product_category_now member
      join sold using (product_key)
      left join own using (brand)
      left join moved using (product_key)
      where member.category_key = any (array(select category_key from part))
    ), shelf as (
      select placed.category_key,
        percentile_cont(0.5) within group (order by unit_price) filter (where is_own)
          / percentile_cont(0.5) within group (order by unit_price) filter (where not is_own) as ratio
      from placed
      join marts.product_category_now leaf using (product_key)
      where unit_price > 0 and leaf.category_key = any (array(
        select category_key from marts.dim_category where region = ${region} and gone_at is null
        except
        select parent_key from marts.dim_category where gone_at is null))
      group by placed.category_key, leaf.category_key, unit_of_measure
      having least(count(*) filter (where is_own), count(*) filter (where not is_own)) >= ${leastOnShelf}::int
    ), gap as (
      select category_key, count(*)::int as shelves, percentile_cont(0.5) within group (order by ratio) as ratio
      from shelf
      group by category_key
    ), counted as (
      select category_key, count(*)::int as products, count(*) filter (where is_own)::int as own,
        exp(avg(change) filter (where is_own)) as own_change,
        exp(avg(change) filter (where not is_own)) as brand_change
      from placed
      group by category_key
    )
    select
      category_path, products, own as private_label_products,
      round(100.0 * own / products, 2) as private_label_share_pct, coalesce(shelves, 0) as shelves_compared,
      round(100 * (ratio - 1)::numeric, 2) as unit_price_gap_pct,
      round(100 * (own_change - 1)::numeric, 2) as private_label_change_pct,
      round(100 * (brand_change - 1)::numeric, 2) as brand_change_pct, category_key
    from counted
    join part using (category_key)
    left join gap using (category_key)`,
  order: () => sql`products desc, category_path`,
  none: () => 'Nothing is for sale there.',
});
