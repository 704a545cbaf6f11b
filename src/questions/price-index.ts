import type { RegionCode } from '../base/model/index.ts';
import { categoryAbout, dateAbout, oneOf, Regions } from './parameters.ts';
import { cut, defineQuestion, fields } from './question.ts';
import { allOf, type Sql, sql } from './sql.ts';

const methods = ['geks_jevons', 'jevons_chained', 'jevons_fixed', 'mean_price'] as const;

/** The first is the default. */
export const BasisParameter = oneOf(
  ['shelf_adjusted', 'member_adjusted', 'shelf', 'member'],
  'what everybody or members pay; adjusted: for the same content when packs change',
);

interface Wanted {
  readonly region: readonly RegionCode[] | Sql;
  readonly categoryKeys: readonly number[] | undefined;
  readonly period: string;
  readonly methods: readonly string[];
  readonly bases: readonly string[];
  readonly since: string | Sql | undefined;
  readonly until: string | Sql | undefined;
}

/**
 * Values of indices. A region's own index has a null key; the condition is written per case so that the filter reaches
 * the rows.
 */
export const indexValuesOf = ({ region, categoryKeys, period, methods, bases, since, until }: Wanted) => sql`
      select
        region, category_key, category_path, period, period_start, method, price_basis, base_start, value,
        matched_products, outliers, arrivals, departures, nights, is_complete, is_base_complete, is_final,
        matched_share, is_thin
      from marts.price_index
      where ${allOf(
        sql`region = any (${region}::text[])`,
        categoryKeys ? sql`category_key = any (${categoryKeys}::int[])` : sql`category_key is null`,
        sql`period = ${period} and method = any (${methods}::text[]) and price_basis = any (${bases}::text[])`,
        since && sql`period_start >= ${since}`,
        until && sql`period_start <= ${until}`,
      )}`;

export const priceIndex = defineQuestion({
  parameters: {
    region: Regions,
    category: categoryAbout('only this category (default: the whole region)'),
    period: oneOf(['day', 'week', 'month'], 'by'),
    method: oneOf([...methods, 'all'], 'method of the index'),
    basis: BasisParameter,
    since: dateAbout('periods that begin on it or later (default: all)'),
    until: dateAbout('periods that begin by it (default: all)'),
    reference: dateAbout('100 in the last period that begins by it, in each series (default: in the base period)'),
  },
  columns: [
    ...fields('region'),
    { name: 'category_path', heading: 'Category' },
    ...fields('period'),
    { name: 'period_start', heading: 'From', as: 'date' },
    ...fields('method'),
    { name: 'price_basis', heading: 'Prices' },
    { name: 'base_start', heading: '100 in the period from', as: 'date' },
    { name: 'value', heading: 'Index', as: 'decimal', decimals: 2 },
    { name: 'change_pct', heading: 'Change', as: 'percent' },
    { name: 'matched_products', heading: 'Products compared', as: 'number' },
    { name: 'outliers', heading: 'Left out', as: 'number' },
    { name: 'arrivals', heading: 'New', as: 'number' },
    { name: 'departures', heading: 'Gone', as: 'number' },
    { name: 'nights', as: 'number' },
    { name: 'is_complete', heading: 'All nights', as: 'yes-no' },
    { name: 'is_base_complete', heading: 'Base has all nights', as: 'yes-no' },
    { name: 'is_final', heading: 'Final', as: 'yes-no' },
    { name: 'matched_share', heading: 'Share compared', as: 'decimal' },
    { name: 'is_thin', heading: 'Thin', as: 'yes-no' },
    ...fields('category_key'),
  ],
  table: () => [
    ...['region', 'category_path', 'period_start', 'method', 'value', 'change_pct', 'matched_products', 'arrivals'],
    ...['departures', 'is_complete', 'is_final', 'is_thin'],
  ],
  isWhole: true,
  isDerived: true,
  // The first row's change needs the preceding period, which is at most 400 days earlier.
  sql: ({ region, categoryKeys, period, method, basis, since, until, reference }, part) => sql`
    with kept as (${indexValuesOf({
      ...{ region, categoryKeys, period, until, bases: [basis] },
      since: since && sql`least(${since}::date, ${reference ?? null}::date) - 400`,
      methods: method === 'all' ? methods : [method],
    })}
    )
    select *
    from (
      select
        region, category_path, period, period_start, method, price_basis, base_start,
        ${reference ? sql`100 * value / of_reference as value` : sql`value`},
        round(100 * (value / lag(value) over (
          partition by region, category_key, method, base_start order by period_start) - 1), 2) as change_pct,
        matched_products, outliers, arrivals, departures, nights, is_complete, is_base_complete, is_final,
        matched_share, is_thin, category_key
      from kept${
        reference
          ? sql`
      join (
        select distinct on (region, category_path, method, base_start)
          region, category_path as path, method, base_start, value as of_reference
        from kept
        where period_start <= ${reference} and value is not null
        order by region, category_path, method, base_start, period_start desc
      ) as level using (region, method, base_start)
      where category_path is not distinct from path`
          : sql``
      }
    ) as line
    where ${allOf(since && sql`period_start >= ${since}`)}
    order by region, category_path nulls first, method, period_start
    ${cut(part)}`,
  head: ({ region, category = null, period, method, basis, since = null, until = null, reference = null }) => ({
    regions: region,
    ...{ category, period, method, basis, since, until, reference },
  }),
  none: () => 'There is no such index yet: it begins with the first certified night.',
});
