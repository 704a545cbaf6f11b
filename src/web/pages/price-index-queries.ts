import type { RegionCode } from '../../base/model/index.ts';
import { firstDerived, lastDerived } from '../../questions/certified.ts';
import { indexValuesOf, priceIndex } from '../../questions/price-index.ts';
import { columnsOf } from '../../questions/question.ts';
import { type Sql, sql } from '../../questions/sql.ts';
import { isStretch, type Stretch } from '../charts/stretch.ts';
import type { Query } from '../page.ts';

export const methods = {
  geks_jevons: 'GEKS-Jevons',
  jevons_chained: 'Jevons, chained',
  jevons_fixed: 'Jevons, fixed base',
  mean_price: 'mean price',
} as const;

export const bases = {
  shelf_adjusted: 'shelf prices for the same content',
  member_adjusted: 'members’ prices for the same content',
  shelf: 'shelf prices',
  member: 'members’ prices',
} as const;

export const periods = { day: 'night', week: 'week', month: 'month' } as const;

/** A region, or the key of a category. */
export type Subject = RegionCode | number;

export interface IndexValue {
  readonly region: RegionCode;
  readonly category_key: number | null;
  readonly category_path: string | null;
  readonly period: string;
  readonly period_start: string;
  readonly method: string;
  readonly price_basis: string;
  readonly base_start: string;
  readonly value: string | null;
  /** First night of the region. */
  readonly begins_on: string | null;
}

export interface Option {
  readonly category_key: number;
  readonly region: RegionCode;
  readonly path: string;
}

interface Which {
  readonly subjects: readonly Subject[];
  readonly methods: readonly string[];
  readonly bases: readonly (keyof typeof bases)[];
  readonly periods: readonly (keyof typeof periods)[];
  readonly span: 'quarter' | 'year' | 'all';
  /** Date range of the periods; a chart of nights shows at most a year of it. */
  readonly stretch: Stretch;
}

/** Days that a chart reaches back. A chart of nights shows at most a year; older nights are available by week. */
const reach: Readonly<Record<keyof typeof periods, Readonly<Record<Which['span'], number>>>> = {
  day: { quarter: 92, year: 366, all: 366 },
  week: { quarter: 92, year: 371, all: 36_500 },
  month: { quarter: 123, year: 397, all: 36_500 },
};

/** Values of all lines. */
export function indexValues(which: Which): Query<IndexValue> {
  return {
    caption: 'Price indices',
    sql: sql`
      select *
      from (${united(which)}) as line
      order by period, period_start, region desc, category_key nulls first, method, price_basis
      limit 20000`,
    columns: columnsOf(
      priceIndex,
      ...['period', 'period_start', 'region', 'category_path', 'method', 'price_basis', 'value', 'matched_products'],
      'base_start',
    ),
  };
}

/** Last known value of each line. */
export function lastIndexValues(which: Which): Query<IndexValue & { readonly line: never }> {
  return {
    caption: 'Last period of each line',
    sql: sql`
      select distinct on (period, region, category_key, method, price_basis) *
      from (${united(which)}) as line
      where value is not null
      order by period, region desc, category_key nulls first, method, price_basis, period_start desc`,
    columns: columnsOf(
      priceIndex,
      ...['line', 'period', 'period_start', 'value', 'matched_products', 'outliers', 'arrivals', 'departures'],
      'base_start',
    ),
    none: 'These lines have no values.',
  };
}

/** Union of the values of all subjects and periods. */
function united({ subjects, methods, bases, periods, span, stretch }: Which): Sql {
  const lines = subjects.flatMap((subject) => {
    const isRegion = typeof subject !== 'number';
    const region = isRegion
      ? sql`${subject}`
      : sql`(select region from marts.dim_category where category_key = ${subject})`;
    // Limits the range to nights with data: dates in the future would use up the span.
    const last = sql`least(${stretch.to ?? null}::date, ${lastDerived(region)})`;
    return periods.map((period) => {
      const days = reach[period][isStretch(stretch) ? 'all' : span];
      const values = indexValuesOf({
        ...{ region: sql`array[${region}]`, categoryKeys: isRegion ? undefined : [subject] },
        ...{ period, methods, bases, until: stretch.to },
        since: sql`greatest(${last} - ${days - 1}::int, ${stretch.from ?? null}::date)`,
      });
      return sql`
      select kept.*, ${firstDerived(region)} as begins_on from (${values}) as kept`;
    });
  });
  return lines.reduce(
    (all, next) => sql`${all}
      union all${next}`,
  );
}

/** Departments of both regions, and ancestors and children of each chosen category. */
export function indexOptions(subjects: readonly Subject[]): Query<Option> {
  const chosen = subjects.filter((subject) => typeof subject === 'number');
  return {
    caption: 'Categories to choose from',
    sql: sql`
      with recursive above as (
        select category_key, parent_key from marts.dim_category where category_key = any(${chosen}::int[])
        union
        select c.category_key, c.parent_key
        from marts.dim_category c join above on above.parent_key = c.category_key
      )
      select category_key, region, path
      from marts.dim_category
      where gone_at is null and (depth = 0 or parent_key = any(${chosen}::int[]))
        or category_key in (select category_key from above)
      order by region desc, path, category_key
      limit 500`,
    columns: [
      { name: 'region', heading: 'Region' },
      { name: 'path', heading: 'Category' },
    ],
    none: 'No category is known yet.',
  };
}
