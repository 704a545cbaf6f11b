import { z } from 'zod';
import { NothingFound } from '../base/errors.ts';
import { findCategories } from './find-categories.ts';
import { dateAbout, oneOf, RegionParameter } from './parameters.ts';
import { BasisParameter, indexValuesOf } from './price-index.ts';
import { cut, defineQuestion } from './question.ts';
import { sql } from './sql.ts';

const weighted = /[^;=]+(=\d{1,9}(\.\d{1,6})?)?/.source;

/** Categories with weights, such as `Bakery=12.5;Frozen Food=30`; 1 if none is given. */
const Weights = z
  .string()
  .max(5_000)
  .regex(
    new RegExp(`^${weighted}(;${weighted})*$`),
    'must be categories with weights such as Bakery=12.5;Frozen Food=30',
  )
  .meta({ description: 'names or paths of categories with weights: Bakery=12.5;Frozen Food=30' });

function weightsOf(text: string) {
  return text.split(';').map((part) => {
    const [named = '', weight = '1'] = part.split('=');
    return { named, weight: Number(weight) };
  });
}

export const weightedIndex = defineQuestion({
  parameters: {
    weights: Weights,
    region: RegionParameter,
    period: oneOf(['month', 'week', 'day'], 'by'),
    basis: BasisParameter,
    reference: dateAbout('100 in the last period that begins by it (default: the first period)'),
  },
  columns: [
    { name: 'period_start', heading: 'From', as: 'date' },
    { name: 'value', heading: 'Index', as: 'decimal', decimals: 2 },
    { name: 'change_pct', heading: 'Change', as: 'percent' },
    { name: 'categories', heading: 'Categories', as: 'number' },
    { name: 'missing', heading: 'Missing', as: 'number' },
    { name: 'matched_products', heading: 'Products compared', as: 'number' },
  ],
  table: () => ['period_start', 'value', 'change_pct', 'categories', 'missing', 'matched_products'],
  isWhole: true,
  isDerived: true,
  async settle(parameters, ask) {
    const keys: number[] = [];
    for (const { named } of weightsOf(parameters.weights)) {
      const found = await findCategories(ask, parameters.region, named);
      if (found.length > 1)
        throw new NothingFound(
          `${found.length} categories of ${parameters.region} are called "${named}"; give the path of one.`,
        );
      keys.push(found[0]!);
    }
    return { ...parameters, keys };
  },
  // Young's index: the weighted mean of the indices since the reference period, whatever the year of the weights.
  sql: ({ weights, region, period, basis, reference, keys }, part) => {
    const categoryKeys = (keys ?? []) as readonly number[];
    return sql`
    with part as (
      select category_key, sum(weight) as weight
      from unnest(${categoryKeys}::int[], ${weightsOf(String(weights)).map(({ weight }) => weight)}::float8[])
        as part (category_key, weight)
      group by category_key
    ), kept as materialized (${indexValuesOf({
      ...{ region: [region], categoryKeys, period, methods: ['geks_jevons'], bases: [basis] },
      ...{ since: undefined, until: undefined },
    })}
    ), base as (
      select coalesce(
        max(period_start) filter (where period_start <= ${reference ?? null}::date), min(period_start)) as start
      from kept
    ), level as (
      select category_key, base_start, value
      from kept
      where period_start = (select start from base) and value is not null
    ), line as (
      select each.period_start, part.weight, kept.value / level.value as ratio, kept.matched_products
      from (select distinct period_start from kept) as each
      cross join part
      left join level on level.category_key = part.category_key
      left join kept
        on kept.category_key = part.category_key and kept.period_start = each.period_start
        and kept.base_start = level.base_start
    ), mean as (
      select period_start, count(*)::int as categories, count(*) filter (where ratio is null)::int as missing,
        case when count(ratio) = count(*) then 100 * sum(weight * ratio::float8) / sum(weight) end as value,
        sum(matched_products)::int as matched_products
      from line
      group by period_start
    )
    select
      period_start, value::numeric as value,
      round(100 * (value / lag(value) over (order by period_start) - 1)::numeric, 2) as change_pct,
      categories, missing, matched_products
    from mean
    order by period_start
    ${cut(part)}`;
  },
  head: ({ weights, region, period, basis, reference = null }) => ({ weights, region, period, basis, reference }),
  none: () => 'These categories have no index yet.',
});
