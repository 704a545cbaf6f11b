import { fields } from './columns.ts';
import { nightsCompared } from './movers.ts';
import ownBrandNames from './own-brands.json' with { type: 'json' };
import { categoryAbout, oneOf, RegionParameter } from './parameters.ts';
import { defineQuestion } from './question.ts';
import { type Sql, sql } from './sql.ts';

/** Whether a brand, by its key, is one of the supermarket, also with more words behind it. */
export const isOwn = (key: Sql): Sql => sql`(${key} ~ (select concat('^(',
        string_agg(marts.brand_key(name), '|'), ')( |$)') from unnest(${ownBrandNames}::text[]) as name))`;

/** Products of a kind that a shelf needs before its unit prices are compared. */
const leastOnShelf = 3;

export const privateLabel = defineQuestion({
  name: 'private-label',
  about: 'the share of private labels, their prices against brands, and how both moved',
  parameters: {
    region: RegionParameter,
    category: categoryAbout('parts of this category (default: departments of the region)'),
    period: oneOf(['month', 'week', 'night'], 'price changes over this period'),
  },
  columns: [
    { name: 'category_path', heading: 'Category' },
    { name: 'products', heading: 'Products for sale', as: 'number' },
    { name: 'private_label_products', heading: 'Private labels', as: 'number' },
    { name: 'private_label_share_pct', heading: 'Their share, %', as: 'decimal', decimals: 1 },
    { name: 'shelves_compared', heading: 'Shelves compared', as: 'number' },
    { name: 'unit_price_gap_pct', heading: 'Per unit, against brands', as: 'percent' },
    { name: 'private_label_change_pct', heading: 'Private labels moved', as: 'percent' },
    { name: 'brand_change_pct', heading: 'Brands moved', as: 'percent' },
    ...fields('category_key'),
  ],
  table: () => [
    ...(['category_path', 'private_label_products', 'private_label_share_pct'] as const),
    ...(['unit_price_gap_pct', 'shelves_compared', 'private_label_change_pct', 'brand_change_pct'] as const),
  ],
  key: ['category_key'],
  isWhole: true,
  isDerived: true,
  // A product counts in its own category and those above it. Means are geometric. A shelf has no categories below it.
  // Moves are one a product; "group by" tells the planner so, which then joins and counts in parallel.
  rows: ({ region, category, categoryKeys, period }) => {
    const { since, until } = nightsCompared(region, period);
    return sql`
    with recursive part as materialized (
      select category_key, path as category_path from marts.dim_category
      where region = ${region} and gone_at is null
        and ${category === undefined ? sql`depth = 0` : sql`parent_key = any (${categoryKeys}::int[])`}
    ), below as (
      select category_key as part_key, category_key from part
      union all
      select part_key, category.category_key
      from below join marts.dim_category category on category.parent_key = below.category_key
    ), sold as materialized (
      select own_category_key as category_key, unit_of_measure, brand, count(*) as products,
        count(nullif(unit_price, 0)) as priced, sum(ln(nullif(unit_price, 0)::float8)) as log_price,
        count(*) filter (where moved.product_key is null or old_minor > 0 and new_minor > 0) as compared,
        coalesce(sum(ln(nullif(new_minor, 0)::float8 / nullif(old_minor, 0))), 0) as change
      from marts.product_now
      left join (
        select product_key, min(old_minor) as old_minor, min(new_minor) as new_minor
        from marts.moved_prices(${region}, ${since}, ${until}, with_arrivals => true) group by product_key
      ) as moved using (product_key)
      where region = ${region} and availability = 'available'
      group by own_category_key, unit_of_measure, brand
    ), own as materialized (
      select brand from (select distinct brand from sold) as spelling
      where ${isOwn(sql`marts.brand_key(brand)`)}
    ), side as materialized (
      select part_key, category_key, unit_of_measure, own.brand is not null as is_own, sum(products) as products,
        sum(priced) as priced, sum(log_price) / nullif(sum(priced), 0) as log_price,
        sum(compared) as compared, sum(change) as change
      from sold
      join below using (category_key)
      left join own using (brand)
      group by part_key, category_key, unit_of_measure, own.brand is not null
    ), gap as (
      select part_key, count(*)::int as shelves,
        percentile_cont(0.5) within group (order by exp(ours.log_price - theirs.log_price)) as ratio
      from side ours
      join side theirs using (part_key, category_key, unit_of_measure)
      where ours.is_own and not theirs.is_own and least(ours.priced, theirs.priced) >= ${leastOnShelf}::int
        and not exists (select from marts.dim_category below where parent_key = ours.category_key and gone_at is null)
      group by part_key
    ), counted as (
      select part_key, sum(products)::int as products, coalesce(sum(products) filter (where is_own), 0)::int as own,
        exp(sum(change) filter (where is_own) / sum(nullif(compared, 0)) filter (where is_own)) as own_change,
        exp(sum(change) filter (where not is_own) / sum(nullif(compared, 0)) filter (where not is_own)) as brand_change
      from side
      group by part_key
    )
    select
      category_path, products, own as private_label_products,
      round(100.0 * own / products, 4) as private_label_share_pct, coalesce(shelves, 0) as shelves_compared,
      round(100 * (ratio - 1)::numeric, 4) as unit_price_gap_pct,
      round(100 * (own_change - 1)::numeric, 4) as private_label_change_pct,
      round(100 * (brand_change - 1)::numeric, 4) as brand_change_pct, category_key
    from counted
    join part on category_key = part_key
    left join gap using (part_key)`;
  },
  order: () => sql`products desc, category_path`,
  none: () => 'Nothing is for sale there.',
});
