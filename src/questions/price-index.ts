import { firstDerived, lastDerived } from './certified.ts';
import { fields, regionNames } from './columns.ts';
import { nightsBack } from './contributions.ts';
import { findCategories } from './named.ts';
import { categoryAbout, choice, dateAbout, oneOf, Regions, textUpTo } from './parameters.ts';
import { defineQuestion } from './question.ts';
import { allOf, sql } from './sql.ts';

/** Names of prices that an index is computed from. */
export const basisNames = {
  shelf_adjusted: 'shelf prices for the same content',
  member_adjusted: 'members’ prices for the same content',
  shelf: 'shelf prices',
  member: 'members’ prices',
} as const;

/** Why there is no longer series of nights. */
export const nightsOnly = `The last ${nightsBack} nights: longer series of nights drift. Months reach further back.`;

export const priceIndex = defineQuestion({
  name: 'index',
  about: 'price indices of a region or a category over time',
  parameters: {
    region: Regions,
    category: categoryAbout('only this category (default: the whole region)'),
    also: textUpTo(500).meta({ description: 'further categories, separated by |: their names, paths or ids' }),
    period: choice(['day', 'week', 'month'], 'by').meta({
      description: `day (the last ${nightsBack}), week or month (default: day, or month beyond ${nightsBack} nights)`,
      ...{ label: 'Period', names: { day: 'night', '': 'automatic' } },
    }),
    basis: oneOf(
      ['shelf_adjusted', 'member_adjusted', 'shelf', 'member'],
      'what everybody or members pay; adjusted: for the same content when packs change',
    ).meta({ label: 'Prices', names: basisNames }),
    since: dateAbout(`periods that begin on it or later (default: all)`),
    until: dateAbout('periods that begin by it (default: all)'),
  },
  columns: [
    { name: 'region', names: regionNames },
    { name: 'category_path', heading: 'Category', names: { '': 'Everything' } },
    ...fields('period'),
    { name: 'period_start', heading: 'Period from', as: 'date' },
    ...fields('price_basis', 'base_start'),
    { name: 'value', heading: 'Index', as: 'decimal', decimals: 2 },
    { name: 'standard_error', as: 'decimal' },
    { name: 'plus_minus', heading: '±', as: 'decimal', decimals: 2, expression: sql`2 * asked.standard_error` },
    { name: 'jevons_chained', heading: 'Jevons chained', as: 'decimal', decimals: 2 },
    { name: 'change_pct', heading: 'Change, %', as: 'decimal', decimals: 2 },
    { name: 'matched_products', heading: 'Products compared', as: 'number' },
    { name: 'outliers', heading: 'Left out', as: 'number' },
    { name: 'arrivals', heading: 'New', as: 'number' },
    { name: 'departures', heading: 'Gone', as: 'number' },
    ...fields('carried_products', 'departure_effect_pct', 'nights'),
    { name: 'is_complete', heading: 'All nights', as: 'yes-no' },
    ...(['is_base_complete', 'is_final'] as const).map((name) => ({ name, as: 'yes-no' }) as const),
    { name: 'matched_share', heading: 'Share compared', as: 'decimal' },
    { name: 'is_thin', heading: 'Thin', as: 'yes-no' },
    ...fields('method_version', 'options', 'category_key'),
  ],
  key: ['region', 'category_key', 'base_start', 'period', 'period_start'],
  table: () => [
    ...(['region', 'category_path', 'period_start', 'value', 'plus_minus', 'change_pct'] as const),
    ...(['matched_products', 'is_complete'] as const),
  ],
  isWhole: true,
  isDerived: true,
  async settle(parameters, ask) {
    const { region, also, since } = parameters;
    const more = await Promise.all((also?.split('|') ?? []).map((named) => findCategories(ask, region, named)));
    const of = sql`any (${region}::text[])`;
    const statement = sql`
      select first, last, coalesce(${since ?? null}::date, first) < last - ${nightsBack}::int as is_long
      from (select ${firstDerived(of)} as first, ${lastDerived(of)} as last) as known`;
    const [nights] = (await ask(statement)).rows;
    const isLong = nights?.['is_long'] === true;
    const period = parameters.period ?? (isLong ? 'month' : 'day');
    return { ...parameters, moreKeys: more.flat(), nights, isLong, period };
  },
  // The first row's change needs the preceding period, which is at most 400 days earlier. A region's own index has a
  // null key; the condition is written per case so that the filter reaches the rows.
  rows: ({ region, categoryKeys, moreKeys: more, period = 'day', basis, since: given, until }) => {
    const reach = sql`${lastDerived(sql`any (${region}::text[])`)} - ${nightsBack}::int`;
    const since = period !== 'day' ? given : given === undefined ? reach : sql`greatest(${given}::date, ${reach})`;
    const moreKeys = (more ?? []) as readonly number[];
    const also = categoryKeys && moreKeys.length > 0 ? sql` || ${moreKeys}::int[]` : sql``;
    const keys = sql`category_key = any (${categoryKeys ?? moreKeys}::int[]${also})`;
    return sql`
    select *
    from (
      select *,
        round(100 * (value / lag(value) over (
          partition by region, category_key, method, base_start order by period_start) - 1), 4) as change_pct,
        max(value) filter (where method = 'jevons_chained') over (
          partition by region, category_key, period_start) as jevons_chained
      from marts.price_index
      where ${allOf(
        sql`region = any (${region}::text[])`,
        categoryKeys ? keys : moreKeys.length > 0 ? sql`(category_key is null or ${keys})` : sql`category_key is null`,
        sql`period = ${period} and price_basis = ${basis}`,
        since && sql`period_start >= (${since})::date - 400`,
        until && sql`period_start <= ${until}`,
      )}
    ) as line
    where method = 'geks_jevons' and ${allOf(since && sql`period_start >= ${since}`)}`;
  },
  order: () => sql`period_start, region desc, category_path nulls first`,
  isInTime: true,
  notes: async ({ period, isLong }) => (isLong && period === 'day' ? [nightsOnly] : []),
  none: () => 'There is no such index yet: it begins with the first certified night.',
});
