import { z } from 'zod';
import { categoryAbout, dateAbout, Regions } from './parameters.ts';
import { defineQuestion } from './question.ts';
import { allOf, sql } from './sql.ts';

const methods = ['geks_jevons', 'jevons_chained', 'jevons_fixed', 'mean_price', 'all'] as const;

export const priceIndex = defineQuestion({
  parameters: {
    region: Regions,
    category: categoryAbout('of this category (default: the whole region)'),
    period: z
      .enum(['day', 'week', 'month'])
      .default('day')
      .meta({ description: 'by day, week or month (default: day)' }),
    method: z
      .enum(methods)
      .default('geks_jevons')
      .meta({ description: `${methods.join(', ')} (default: geks_jevons)` }),
    basis: z
      .enum(['shelf', 'member'])
      .default('shelf')
      .meta({ description: 'shelf prices, or what members pay: shelf, member (default: shelf)' }),
    since: dateAbout('periods that begin on it or later (default: all)'),
    until: dateAbout('periods that begin by it (default: all)'),
  },
  columns: [
    { name: 'region' },
    { name: 'category_path', heading: 'Category' },
    { name: 'period' },
    { name: 'period_start', heading: 'From', as: 'date' },
    { name: 'method' },
    { name: 'price_basis', heading: 'Prices' },
    { name: 'base_start', heading: '100 in the period from', as: 'date' },
    { name: 'value', heading: 'Index', as: 'number', decimals: 2 },
    { name: 'change_pct', heading: 'Change', as: 'percent' },
    { name: 'matched_products', heading: 'Products compared', as: 'number' },
    { name: 'outliers', heading: 'Left out', as: 'number' },
    { name: 'arrivals', heading: 'New', as: 'number' },
    { name: 'departures', heading: 'Gone', as: 'number' },
  ],
  table: [
    ...['region', 'category_path', 'period_start', 'method', 'value', 'change_pct', 'matched_products', 'arrivals'],
    'departures',
  ],
  isWhole: true,
  isDerived: true,
  series: { of: ['region', 'category_path', 'method'], since: 'base_start', value: 'value' },
  // A category is asked for by its key and the region by its absence: only then does the filter reach the rows. The change of the
  // first period that is shown needs the period before it.
  sql: ({ region, categoryKeys, period, method, basis, since, until }, { limit, offset = 0 }) => sql`
    select *
    from (
      select
        region, category_path, period, period_start, method, price_basis, base_start, value,
        round(100 * (value / lag(value) over (
          partition by region, category_key, method, base_start order by period_start) - 1), 2) as change_pct,
        matched_products, outliers, arrivals, departures
      from marts.price_index
      where region = any (${region}::text[]) and period = ${period} and price_basis = ${basis}
        and ${allOf(
          method !== 'all' && sql`method = ${method}`,
          categoryKeys ? sql`category_key = any (${categoryKeys}::int[])` : sql`category_key is null`,
        )}) as line
    where ${allOf(since && sql`period_start >= ${since}`, until && sql`period_start <= ${until}`)}
    order by region, category_path nulls first, method, period_start
    limit ${limit} offset ${offset}`,
  head: ({ region, category = null, period, method, basis, since = null, until = null }) => ({
    regions: region,
    ...{ category, period, method, basis, since, until },
  }),
  none: () => 'There is no index of that yet: it begins with the first certified night.',
});
