import type { Row } from '../../src/base/format.ts';
import { regionCodes } from '../../src/base/model/index.ts';
import { questionNamed } from '../../src/questions/index.ts';
import { statementFor } from '../../src/questions/question.ts';
import { type Sql, sql } from '../../src/questions/sql.ts';

/** A chart of the first dashboard, the same in every tool. */
export interface Chart {
  /** Name of files and of the dataset, if it is made from a question. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly kind: 'line' | 'table';
  readonly from: OfQuestion | OfMart;
  /** Column with the night, week or month of a row; tables about now have none. */
  readonly night?: string;
  /** Columns that name a line. */
  readonly series?: readonly string[];
  /** Columns drawn or listed. */
  readonly values: readonly string[];
  readonly unit?: 'percent';
  /** Column with the path of a department, to choose departments by. */
  readonly department?: string;
}

interface OfQuestion {
  readonly question: string;
  /** Parameters; a list of them for rows that follow each other. The region is that of the chart. */
  readonly each: readonly Row[];
  readonly limit?: number;
}

interface OfMart {
  readonly mart: string;
  readonly where?: string;
}

const departments = sql`array(select category_key from marts.dim_category where depth = 0)`;

export const charts: readonly Chart[] = [
  {
    ...{ name: 'headline_index', title: 'Price index of the region', kind: 'line', night: 'period_start' },
    about: 'GEKS-Jevons for equal content, 100 in the base period: shelf prices, and what members pay.',
    from: { question: 'index', each: [{}, { basis: 'member_adjusted' }] },
    ...{ series: ['price_basis', 'base_start'], values: ['value'] },
  },
  {
    ...{ name: 'nights', title: 'Nights and their certificates', kind: 'table', night: 'snapshot_date' },
    about: 'How fresh the book is. Only certified nights say that something is gone.',
    from: { mart: 'snapshot' },
    values: ['snapshot_date', 'certificate', 'products_listed', 'products_available', 'requests_spent', 'finished_at'],
  },
  {
    ...{ name: 'movers', title: 'Largest price moves in a week', kind: 'table' },
    about: 'Rises and falls between the last night and the one a week before.',
    from: { question: 'movers', each: [{ period: 'week' }], limit: 25 },
    values: ['title', 'since', 'old_price', 'until', 'new_price', 'change_pct', 'promotion'],
  },
  {
    ...{ name: 'moves', title: 'What moved since the certified night before', kind: 'line', night: 'snapshot_date' },
    about: 'Arrivals, departures and price moves of the region.',
    from: { mart: 'fct_region_daily' },
    values: ['arrivals', 'departures', 'price_increases', 'price_decreases'],
  },
  {
    ...{ name: 'promotion_depth', title: 'Promotions by week', kind: 'line', night: 'week_starts_on', unit: 'percent' },
    about: 'Share of time on promotion, and the share of new promotions that are real reductions.',
    from: { question: 'promotion-depth', each: [{}] },
    values: ['share_on_promotion_pct', 'share_with_loyalty_price_pct', 'real_reductions_pct'],
  },
  {
    ...{ name: 'deepest_promotions', title: 'Deepest promotions that run now', kind: 'table' },
    about: 'Promotions in effect on the last night, the largest announced reduction first.',
    from: { question: 'promotions', each: [{ running: 'yes', sort: 'deepest' }], limit: 25 },
    values: ['title', 'description', 'shelf_price', 'reduced_price', 'announced_pct', 'real_pct', 'verdict_label'],
  },
  {
    ...{ name: 'products', title: 'Products listed and for sale', kind: 'line', night: 'snapshot_date' },
    about: 'Products of the region on each certified night.',
    from: { mart: 'fct_region_daily' },
    values: ['products_listed', 'products_available', 'products_on_promotion'],
  },
  {
    ...{ name: 'department_index', title: 'Price index by department', kind: 'line', night: 'period_start' },
    about: 'GEKS-Jevons for equal content, 100 where the series of the department began.',
    from: { question: 'index', each: [{ categoryKeys: departments }] },
    ...{ series: ['category_path', 'base_start'], values: ['value'], department: 'category_path' },
  },
  {
    ...{ name: 'department_prices', title: 'Median price by department', kind: 'line', night: 'snapshot_date' },
    about: 'Median shelf price, in the currency of the region.',
    from: { mart: 'fct_category_daily', where: 'depth = 0' },
    ...{ series: ['path'], values: ['median_price'], department: 'path' },
  },
  {
    ...{ name: 'department_promotions', title: 'On promotion by department', kind: 'line', night: 'week_starts_on' },
    about: 'Share of time on promotion, in percent, by week.',
    from: { question: 'promotion-depth', each: [{ categoryKeys: departments }] },
    ...{ series: ['category_path'], values: ['share_on_promotion_pct'], unit: 'percent', department: 'category_path' },
  },
];

/** Marts that an analyst of prices joins. */
export const marts = [
  ...['dim_region', 'dim_category', 'dim_product', 'snapshot', 'fct_region_daily', 'fct_category_daily'],
  ...['price_index', 'fct_price_change', 'fct_promotion', 'fct_pack_change'],
] as const;

/** A figure of a mart that may be aggregated; prices are averaged and never summed. */
export interface Measure {
  readonly table: string;
  readonly name: string;
  readonly how: 'count' | 'avg';
  readonly column?: string;
  readonly where?: readonly [column: string, comparison: '<' | '>', value: number];
}

const average = (table: string, ...columns: readonly string[]): Measure[] =>
  columns.map((column) => ({ table, name: `Average ${column.replaceAll('_', ' ')}`, how: 'avg', column }));

export const measures: readonly Measure[] = [
  ...charts.flatMap(({ from, kind, values, name }) =>
    kind === 'line' ? average('mart' in from ? from.mart : name, ...values) : [],
  ),
  ...average('fct_category_daily', 'products_listed', 'products_on_promotion', 'average_loyalty_discount_pct'),
  { table: 'fct_price_change', name: 'Price changes', how: 'count' },
  { table: 'fct_price_change', name: 'Price rises', how: 'count', where: ['change_pct', '>', 0] },
  { table: 'fct_price_change', name: 'Price falls', how: 'count', where: ['change_pct', '<', 0] },
  ...average('fct_price_change', 'change_pct'),
  { table: 'fct_promotion', name: 'Promotions', how: 'count' },
  { table: 'fct_pack_change', name: 'Shrunk packs', how: 'count', where: ['size_change_pct', '<', 0] },
  ...average('fct_pack_change', 'unit_price_effect_pct'),
];

/** Rows of a question for some regions, with a column `region`; only from a night on if it is given. */
export async function statementOf(
  { question: name, each, limit }: OfQuestion,
  regions: readonly (string | Sql)[] = regionCodes,
  since?: Sql,
): Promise<string> {
  const question = questionNamed(name)!;
  const hasRegion = question.columns.some((column) => column.name === 'region');
  const parts = each.flatMap(({ categoryKeys, ...given }) => {
    const parameters = question.parameters.parse(given);
    const list = regions.map((region, at) => sql`${at > 0 ? sql`, ` : sql``}${region}`);
    const isList = Array.isArray(parameters['region']);
    return (isList ? [sql`array[${list.reduce((all, next) => sql`${all}${next}`)}]`] : regions).map((region) => {
      const asked: Row = { ...parameters, region, ...(since && { since }), categoryKeys };
      const rows = statementFor(question, asked as never, { limit: limit ?? null });
      return hasRegion ? rows : sql`select ${region}::text as region, answer.*\nfrom (${rows}) as answer`;
    });
  });
  return parts.map((part) => (parts.length > 1 ? `(\n${part.copy}\n)` : part.copy)).join('\nunion all\n');
}
