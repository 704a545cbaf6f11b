import { lastDerived } from './certified.ts';
import { fields, regionNames } from './columns.ts';
import { findCategories } from './named.ts';
import { categoryAbout, dateAbout, oneOf, Regions, textUpTo } from './parameters.ts';
import { defineQuestion } from './question.ts';
import { allOf, type Sql, sql } from './sql.ts';

const methods = ['geks_jevons', 'jevons_chained'] as const;

/** Names of methods, for people. */
export const methodNames = { geks_jevons: 'GEKS-Jevons', jevons_chained: 'Jevons, chained' } as const;

/** Names of prices that an index is computed from. */
export const basisNames = {
  shelf_adjusted: 'shelf prices for the same content',
  member_adjusted: 'members’ prices for the same content',
  shelf: 'shelf prices',
  member: 'members’ prices',
} as const;

/** A chart of nights shows at most so many; older nights are read by week or month. */
const nightsShown = 92;

export const priceIndex = defineQuestion({
  name: 'index',
  about: 'price indices of a region or a category over time',
  parameters: {
    region: Regions,
    category: categoryAbout('only this category (default: the whole region)'),
    also: textUpTo(500).meta({ description: 'further categories, separated by |: their names, paths or ids' }),
    period: oneOf(['day', 'week', 'month'], 'by').meta({ label: 'Period', names: { day: 'night' } }),
    method: oneOf([...methods, 'all'], 'method of the index').meta({ label: 'Method', names: methodNames }),
    basis: oneOf(
      ['shelf_adjusted', 'member_adjusted', 'shelf', 'member'],
      'what everybody or members pay; adjusted: for the same content when packs change',
    ).meta({ label: 'Prices', names: basisNames }),
    since: dateAbout(`periods that begin on it or later (default: ${nightsShown} nights, or all weeks and months)`),
    until: dateAbout('periods that begin by it (default: all)'),
  },
  columns: [
    { name: 'region', names: regionNames },
    { name: 'category_path', heading: 'Category', names: { '': 'Everything' } },
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
    ...fields('nights'),
    { name: 'is_complete', heading: 'All nights', as: 'yes-no' },
    { name: 'is_base_complete', heading: 'Base has all nights', as: 'yes-no' },
    { name: 'is_final', heading: 'Final', as: 'yes-no' },
    { name: 'matched_share', heading: 'Share compared', as: 'decimal' },
    { name: 'is_thin', heading: 'Thin', as: 'yes-no' },
    ...fields('category_key'),
  ],
  key: ['region', 'category_key', 'method', 'base_start', 'period', 'period_start'],
  chart: { x: 'period_start', y: 'value', by: 'region' },
  table: () => [
    ...(['region', 'category_path', 'period_start', 'method', 'value', 'change_pct', 'matched_products'] as const),
    ...(['arrivals', 'departures', 'is_complete', 'is_final', 'is_thin'] as const),
  ],
  isWhole: true,
  isDerived: true,
  async settle(parameters, ask) {
    const { region, also, period, since } = parameters;
    const only = region.length === 1 ? region[0] : undefined;
    const more = await Promise.all((also?.split('|') ?? []).map((named) => findCategories(ask, only, named)));
    return {
      ...parameters,
      moreKeys: more.flat(),
      from: since ?? (period === 'day' ? sql`${lastDerived(region[0]!)} - ${nightsShown - 1}::int` : undefined),
    };
  },
  // The first row's change needs the preceding period, which is at most 400 days earlier. A region's own index has a
  // null key; the condition is written per case so that the filter reaches the rows.
  rows: ({ region, categoryKeys, moreKeys: more, from, period, method, basis, since: given, until }) => {
    const since = (from ?? given) as string | Sql | undefined;
    const moreKeys = (more ?? []) as readonly number[];
    const also = categoryKeys && moreKeys.length > 0 ? sql` || ${moreKeys}::int[]` : sql``;
    const keys = sql`category_key = any (${categoryKeys ?? moreKeys}::int[]${also})`;
    return sql`
    select *
    from (
      select *,
        round(100 * (value / lag(value) over (
          partition by region, category_key, method, base_start order by period_start) - 1), 2) as change_pct
      from marts.price_index
      where ${allOf(
        sql`region = any (${region}::text[])`,
        categoryKeys ? keys : moreKeys.length > 0 ? sql`(category_key is null or ${keys})` : sql`category_key is null`,
        sql`period = ${period} and method = any (${method === 'all' ? methods : [method]}::text[])`,
        sql`price_basis = any (${[basis]}::text[])`,
        since && sql`period_start >= (${since})::date - 400`,
        until && sql`period_start <= ${until}`,
      )}
    ) as line
    where ${allOf(since && sql`period_start >= ${since}`)}`;
  },
  order: () => sql`region desc, category_path nulls first, method, period_start`,
  none: () => 'There is no such index yet: it begins with the first certified night.',
});
