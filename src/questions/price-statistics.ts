import { lastDerived } from './certified.ts';
import { categoryAbout, dateAbout, RegionParameter } from './parameters.ts';
import { productsOf, recentMonths } from './price-steps.ts';
import { cut, defineQuestion } from './question.ts';
import { allOf, sql } from './sql.ts';

/** Days within which a price can return to what it was. */
const daysBack = 30;

export const priceStatistics = defineQuestion({
  parameters: {
    region: RegionParameter,
    since: dateAbout('changes from this night on (default: the last three calendar months)'),
    until: dateAbout('changes up to this night (default: the last night)'),
    category: categoryAbout('only products in this category on the last night'),
  },
  columns: [
    { name: 'month', heading: 'Month', as: 'date' },
    { name: 'price_changes', heading: 'Changes', as: 'number' },
    { name: 'changes_per_month_pct', heading: 'Changing in 30 nights, %', as: 'decimal', decimals: 2 },
    { name: 'increases_pct', heading: 'Increases, %', as: 'decimal', decimals: 2 },
    { name: 'median_increase_pct', heading: 'Median increase', as: 'percent' },
    { name: 'median_decrease_pct', heading: 'Median decrease', as: 'percent' },
    { name: 'observed_for_30_days', heading: 'Observed for 30 days', as: 'number' },
    { name: 'reversed_pct', heading: 'Reversed, %', as: 'decimal', decimals: 2 },
  ],
  table: () => [
    ...['month', 'price_changes', 'changes_per_month_pct', 'increases_pct', 'median_increase_pct'],
    ...['median_decrease_pct', 'reversed_pct'],
  ],
  isWhole: true,
  isDerived: true,
  sql: ({ region, since, until, categoryKeys }, part) => {
    const last = lastDerived(region);
    const first = since ?? recentMonths(region);
    const end = until ?? last;
    return sql`
    with step as materialized (
      select product_key, snapshot_date, old_price::float8 as old_price, new_price::float8 as new_price
      from marts.fct_price_step
      where ${allOf(
        sql`region = ${region} and snapshot_date >= ${first} and snapshot_date <= ${end}::date + ${daysBack}::int`,
        sql`old_price > 0 and new_price > 0`,
        productsOf(categoryKeys, last),
      )}
    ), changed as materialized (
      select *, date_trunc('month', snapshot_date::timestamp)::date as month,
        snapshot_date + ${daysBack}::int <= ${last} as is_observed
      from step
      where snapshot_date <= ${end}
    ), reversed as (
      select month, count(*) as reversed
      from changed
      where is_observed and exists (
        select from step later
        where later.product_key = changed.product_key and later.new_price = changed.old_price
          and later.snapshot_date > changed.snapshot_date
          and later.snapshot_date <= changed.snapshot_date + ${daysBack}::int)
      group by month
    ), listed as (
      -- Product-nights on which a change would have been seen.
      select date_trunc('month', snapshot_date::timestamp)::date as month, sum(products_listed) as product_nights
      from ${
        categoryKeys
          ? sql`marts.fct_category_daily where category_key = any (${categoryKeys}::int[]) and`
          : sql`marts.fct_region_daily where`
      } region = ${region} and snapshot_date >= ${first} and snapshot_date <= ${end}
      group by 1
    )
    select
      month, count(*) as price_changes,
      round(3000.0 * count(*) / max(product_nights), 2) as changes_per_month_pct,
      round(100.0 * count(*) filter (where new_price > old_price) / count(*), 2) as increases_pct,
      round((100 * (percentile_cont(0.5) within group (order by new_price / old_price)
        filter (where new_price > old_price) - 1))::numeric, 2) as median_increase_pct,
      round((100 * (percentile_cont(0.5) within group (order by new_price / old_price)
        filter (where new_price < old_price) - 1))::numeric, 2) as median_decrease_pct,
      count(*) filter (where is_observed) as observed_for_30_days,
      round(100.0 * coalesce(max(reversed), 0) / nullif(count(*) filter (where is_observed), 0), 2) as reversed_pct
    from changed
    left join reversed using (month)
    left join listed using (month)
    group by month
    order by month
    ${cut(part)}`;
  },
  none: () => 'No price changed between certified nights of that time.',
});
