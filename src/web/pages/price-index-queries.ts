import type { RegionCode } from '../../base/model/index.ts';
import { firstDerived, lastDerived } from '../../questions/certified.ts';
import { indexValuesOf, priceIndex } from '../../questions/price-index.ts';
import { columnsOf } from '../../questions/question.ts';
import { sql } from '../../questions/sql.ts';
import type { Query } from '../page.ts';
import type { spans } from '../spans.tsx';

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
  readonly period_start: string;
  readonly base_start: string;
  readonly value: string | null;
  /** First night of the region. */
  readonly begins_on: string | null;
}

interface Which {
  readonly subjects: readonly Subject[];
  readonly method: keyof typeof methods;
  readonly basis: keyof typeof bases;
  readonly period: keyof typeof periods;
  readonly span: keyof typeof spans;
}

/** Days that a chart reaches back. A chart of nights shows at most a year; older nights are available by week. */
const reach: Readonly<Record<keyof typeof periods, Readonly<Record<Which['span'], number>>>> = {
  day: { month: 31, quarter: 92, year: 366, all: 366 },
  week: { month: 35, quarter: 92, year: 371, all: 36_500 },
  month: { month: 62, quarter: 123, year: 397, all: 36_500 },
};

/** Values of all lines. */
export function indexValues({ subjects, method, basis, period, span }: Which): Query<IndexValue> {
  const lines = subjects.map((subject) => {
    const isRegion = typeof subject !== 'number';
    const region = isRegion
      ? sql`${subject}`
      : sql`(select region from marts.dim_category where category_key = ${subject})`;
    const values = indexValuesOf({
      ...{ region: sql`array[${region}]`, categoryKeys: isRegion ? undefined : [subject] },
      ...{ period, methods: [method], bases: [basis], until: undefined },
      since: sql`${lastDerived(region)} - ${reach[period][span] - 1}::int`,
    });
    return sql`
      select kept.*, ${firstDerived(region)} as begins_on from (${values}) as kept`;
  });
  const united = lines.reduce(
    (all, next) => sql`${all}
      union all${next}`,
  );
  return {
    caption: 'Price indices',
    sql: sql`
      select *
      from (${united}) as line
      order by period_start, region desc, category_key nulls first
      limit 20000`,
    columns: columnsOf(
      priceIndex,
      ...['period_start', 'region', 'category_path', 'value', 'matched_products', 'outliers', 'arrivals', 'departures'],
      'base_start',
    ),
  };
}
