import type { RegionCode } from '../../model/index.ts';
import { firstDerived, lastDerived } from '../../questions/certified.ts';
import { allOf, type Sql, sql } from '../../questions/sql.ts';
import { isStretch, type Stretch } from '../charts/stretch.ts';
import type { Query } from '../page.ts';

export const methods = {
  geks_jevons: 'GEKS-Jevons',
  jevons_chained: 'Jevons, chained',
  jevons_fixed: 'Jevons, fixed base',
  mean_price: 'mean price',
} as const;

export const bases = { shelf: 'shelf', member: 'for members' } as const;

export const periods = { day: 'night', week: 'week', month: 'month' } as const;

/** A whole region, or the key of a category. */
export type Subject = RegionCode | number;

export interface IndexValue {
  readonly region: string;
  readonly category_key: number | null;
  readonly category_path: string | null;
  readonly period: string;
  readonly period_start: string;
  readonly method: string;
  readonly price_basis: string;
  readonly base_start: string;
  readonly value: string | null;
  /** The first night of its region. */
  readonly begins_on: string | null;
}

export interface Option {
  readonly category_key: number;
  readonly region: string;
  readonly path: string;
}

interface Which {
  readonly subjects: readonly Subject[];
  readonly methods: readonly string[];
  readonly bases: readonly string[];
  readonly periods: readonly string[];
  readonly span: 'quarter' | 'year' | 'all';
  /** Periods that begin in it are shown, of nights a year of it at most. */
  readonly stretch: Stretch;
}

/** How far back, in days. A chart of nights shows a year at most: more would not fit a page, and is there by week. */
const reach: Readonly<Record<string, Readonly<Record<Which['span'], number>>>> = {
  day: { quarter: 92, year: 366, all: 366 },
  week: { quarter: 92, year: 371, all: 36_500 },
  month: { quarter: 123, year: 397, all: 36_500 },
};

/** The values of each line in each period, a statement a line: its category is a key. */
export function indexValues(which: Which): Query<IndexValue> {
  return {
    caption: 'Price indices',
    sql: sql`${united(
      which,
      (rows) => sql`${rows}
        and method = any(${which.methods}::text[]) and price_basis = any(${which.bases}::text[])`,
    )}
      order by period, period_start, region desc, category_key nulls first, method, price_basis
      limit 20000`,
    columns: [
      { name: 'period', heading: 'Period' },
      { name: 'period_start', heading: 'From', as: 'date' },
      { name: 'region', heading: 'Region' },
      { name: 'category_path', heading: 'Category' },
      { name: 'method', heading: 'Method' },
      { name: 'price_basis', heading: 'Prices' },
      { name: 'value', heading: 'Index', as: 'number' },
      { name: 'matched_products', heading: 'Matched', as: 'number' },
      { name: 'base_start', heading: '100 in the period from', as: 'date' },
    ],
  };
}

/** How each line stands in its last period. */
export function lastIndexValues(which: Which): Query<IndexValue & { readonly line: never }> {
  return {
    caption: 'The last period of each line',
    sql: sql`
      ${united(
        which,
        (rows) => sql`
      select said.*
      from unnest(${which.methods}::text[]) as by (method)
      cross join unnest(${which.bases}::text[]) as of (price_basis)
      cross join lateral (${rows}
        and method = by.method and price_basis = of.price_basis and value is not null
        order by period_start desc
        limit 1
      ) as said`,
      )}
      order by period, region desc, category_key nulls first, method, price_basis`,
    columns: [
      { name: 'line', heading: 'Line' },
      { name: 'period', heading: 'By' },
      { name: 'period_start', heading: 'Period from', as: 'date' },
      { name: 'value', heading: 'Index', as: 'number' },
      { name: 'matched_products', heading: 'Products compared', as: 'number' },
      { name: 'outliers', heading: 'Left out', as: 'number' },
      { name: 'arrivals', heading: 'New', as: 'number' },
      { name: 'departures', heading: 'Gone', as: 'number' },
      { name: 'base_start', heading: '100 in the period from', as: 'date' },
    ],
    none: 'Nothing is known of these lines.',
  };
}

/** What is made of the rows of each subject and period, one below the other. */
function united({ subjects, periods, span, stretch }: Which, of: (rows: Sql) => Sql): Sql {
  return subjects
    .flatMap((subject) => {
      const region =
        typeof subject === 'number'
          ? sql`(select region from marts.dim_category where category_key = ${subject})`
          : sql`${subject}`;
      // Nights of the future have no values, and would push those there are out of reach.
      const last = sql`least(${stretch.to ?? null}::date, ${lastDerived(region)})`;
      const itself = typeof subject === 'number' ? sql`category_key = ${subject}` : sql`category_key is null`;
      return periods.map((period) =>
        of(sql`
      select region, category_key, category_path, period, period_start, method, price_basis, base_start, value,
        matched_products, outliers, arrivals, departures,
        ${firstDerived(region)} as begins_on
      from marts.price_index
      where region = ${region} and ${itself} and period = ${period}
        and period_start > ${last} - ${reach[period]![isStretch(stretch) ? 'all' : span]}::int and ${allOf(
          stretch.from !== undefined && sql`period_start >= ${stretch.from}`,
          stretch.to !== undefined && sql`period_start <= ${stretch.to}`,
        )}`),
      );
    })
    .reduce(
      (all, next) => sql`${all}
      union all${next}`,
    );
}

/** Departments of both regions, and of each chosen category those above and below it. */
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
