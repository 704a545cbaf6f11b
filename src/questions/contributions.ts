import { lastDerived } from './certified.ts';
import { categoryAbout, dateAbout, oneOf, RegionParameter } from './parameters.ts';
import { BasisParameter } from './price-index.ts';
import { cut, defineQuestion, fields } from './question.ts';
import { sql } from './sql.ts';

export const contributions = defineQuestion({
  parameters: {
    region: RegionParameter,
    category: categoryAbout('parts of this category (default: departments of the region)'),
    period: oneOf(['month', 'week', 'day'], 'the last period against the one before'),
    until: dateAbout('the last period that begins by it (default: the last)'),
    basis: BasisParameter,
  },
  columns: [
    { name: 'category_path', heading: 'Category' },
    { name: 'period_start', heading: 'From', as: 'date' },
    { name: 'matched_products', heading: 'Products compared', as: 'number' },
    { name: 'weight_pct', heading: 'Weight, %', as: 'decimal', decimals: 2 },
    { name: 'change_pct', heading: 'Change', as: 'percent' },
    { name: 'contribution_points', heading: 'Contribution', as: 'decimal', decimals: 3 },
    { name: 'total_change_pct', heading: 'Whole', as: 'percent' },
    ...fields('category_key'),
  ],
  table: () => ['category_path', 'period_start', 'matched_products', 'weight_pct', 'change_pct', 'contribution_points'],
  isWhole: true,
  isDerived: true,
  // A Jevons index is a mean of logarithms over its products, so its change is a sum over parts, weighted by products.
  sql: ({ region, category, categoryKeys, period, until, basis }, part) => {
    const last = until ?? lastDerived(region);
    const keys = sql`${categoryKeys ?? []}::int[]`;
    const isWhole = category === undefined ? sql`category_key is null` : sql`category_key = any (${keys})`;
    return sql`
    with part as (
      select category_key from marts.dim_category
      where region = ${region}
        and ${category === undefined ? sql`depth = 0` : sql`parent_key = any (${keys})`}
    ), line as (
      select category_key, category_path, period_start, matched_products,
        value / lag(value) over (partition by category_key, base_start order by period_start) as change,
        row_number() over (partition by category_key order by period_start desc) as from_last
      from marts.price_index
      where region = ${region} and period = ${period} and method = 'jevons_chained' and price_basis = ${basis}
        and (${isWhole} or category_key in (select category_key from part))
        and period_start > ${last}::date - 400 and period_start <= ${last}
    ), whole as (
      select * from line
      where from_last = 1 and change is not null and ${isWhole}
      order by matched_products desc
      limit 1
    )
    select
      line.category_path, line.period_start, line.matched_products,
      round(100.0 * line.matched_products / whole.matched_products, 2) as weight_pct,
      round(100 * (line.change - 1), 2) as change_pct,
      100 * ln(line.change) * line.matched_products / whole.matched_products
        * case when whole.change = 1 then 1 else (whole.change - 1) / ln(whole.change) end as contribution_points,
      round(100 * (whole.change - 1), 2) as total_change_pct, line.category_key
    from line
    join whole on whole.period_start = line.period_start
    where line.from_last = 1 and line.change is not null and line.category_key in (select category_key from part)
    order by abs(ln(line.change) * line.matched_products) desc, line.category_path
    ${cut(part)}`;
  },
  none: () => 'There are no two periods to compare yet.',
});
