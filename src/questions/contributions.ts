import { firstDerived, lastDerived } from './certified.ts';
import { fields } from './columns.ts';
import { categoryAbout, RegionParameter } from './parameters.ts';
import { defineQuestion } from './question.ts';
import { type Sql, sql } from './sql.ts';

const variance = sql`(i.standard_error / i.value) ^ 2`;
const orUnknown = sql`coalesce(${variance}, 'inf')`;

/** Last value of an index up to some nights ago. */
const lastValue = (nights: number, of = sql`i.value`) => sql`
          (array_agg(${of} order by i.period_start desc)
            filter (where i.period_start <= night.last - ${nights}::int))[1]`;

const changeSince = (before: Sql) => sql`round(100 * (line.now / nullif(${before}, 0) - 1), 4)`;

/** Errors grow with the root of time, so their squares are subtracted; offers that end shrink them within days. */
const errorSince = (before: Sql, variance: Sql) => sql`
        case when line.variance >= coalesce(${variance}, 0) then nullif(round(200 * line.now / ${before}
          * sqrt(line.variance - coalesce(${variance}, 0)), 2), 0)
        end`;

/** Nights that daily figures reach back: a longer daily series drifts (docs/analyse/accuracy.md). */
export const nightsBack = 91;

export const contributions = defineQuestion({
  name: 'contributions',
  about: 'how the prices of each category moved, and how much it moved the index',
  parameters: {
    region: RegionParameter,
    category: categoryAbout('parts of this category (default: departments of the region)'),
  },
  columns: [
    { name: 'category_path', heading: 'Category', names: { '': 'Everything' } },
    { name: 'change_7_pct', heading: '7 nights', as: 'percent', decimals: 2 },
    { name: 'change_7_error_pct', heading: '± of 7 nights', as: 'decimal', decimals: 2 },
    { name: 'change_30_pct', heading: '30 nights', as: 'percent', decimals: 2 },
    { name: 'change_error_pct', heading: '± of 30 nights', as: 'decimal', decimals: 2 },
    { name: 'change_91_pct', heading: '91 nights', as: 'percent', decimals: 2 },
    { name: 'change_91_error_pct', heading: '± of 91 nights', as: 'decimal', decimals: 2 },
    { name: 'change_first_pct', heading: 'Since the first night', as: 'percent', decimals: 2 },
    { name: 'contribution_points', heading: 'Contribution, points', as: 'decimal', decimals: 2 },
    { name: 'new_basis_since', heading: 'New basis since', as: 'date' },
    { name: 'matched_products', heading: 'Products compared', as: 'number' },
    ...fields('first_night', 'until', 'region', 'category_id', 'category_key', 'shelf'),
    { name: 'history', heading: 'Trend' },
  ],
  key: ['region', 'category_key', 'until'],
  table: () => [
    ...(['category_path', 'change_7_pct', 'change_7_error_pct', 'change_30_pct', 'change_error_pct'] as const),
    ...(['change_91_pct', 'change_91_error_pct', 'change_first_pct'] as const),
    ...(['contribution_points', 'new_basis_since'] as const),
  ],
  isWhole: true,
  isDerived: true,
  // The first row is the whole. Values before a restart are not comparable. An unknown earlier error counts as
  // infinite, which leaves the change's unknown; so does one of 0: the index moved by way of other nights.
  rows: ({ region, categoryKeys }) => {
    const [whole = 0] = categoryKeys ?? [];
    return sql`
      with night as materialized (
        select ${lastDerived(region)} as last, ${firstDerived(region)} as first
      ), part as materialized (
        select 0 as key, null as category_id, null as path where ${whole} = 0
        union all
        select null, null, 'Without a department' where ${whole} = 0
        union all
        select c.category_key, c.category_id, trim(c.path)
        from marts.dim_category c
        where c.region = ${region} and (
          c.category_key = ${whole}::int
          or c.gone_at is null and c.parent_key is not distinct from nullif(${whole}::int, 0))
      ), kept as materialized (
        select i.*, max(base_start) over (partition by category_key) as last_base
        from (
          select * from marts.price_index where category_key is null
          union all
          select * from marts.price_index where category_key = any (array(select key from part))
        ) as i
        where i.region = ${region} and i.period = 'day'
          and i.method = 'geks_jevons' and i.price_basis = 'shelf_adjusted'
          -- A week more, so that a lost night leaves the change of the whole span known.
          and i.period_start > (select last from night) - ${nightsBack + 8}::int and i.value is not null
      ), line as materialized (
        select
          coalesce(i.category_key, 0) as key, ${lastValue(0)} as now, ${lastValue(7)} as week,
          ${lastValue(0, variance)} as variance, ${lastValue(30, orUnknown)} as month_variance,
          ${lastValue(nightsBack, orUnknown)} as quarter_variance,
          ${lastValue(30)} as month, ${lastValue(nightsBack)} as quarter, i.last_base as base,
          (array_agg(i.value) filter (where i.period_start = night.first))[1] as first,
          max(i.period_start) filter (where i.period_start <= night.last - 30) as month_start,
          (array_agg(i.matched_products order by i.period_start desc))[1] as products,
          json_agg(json_build_array(i.period_start, round(i.value, 3)) order by i.period_start)::text as history
        from kept i
        cross join night
        where i.base_start = i.last_base
        group by i.category_key, i.last_base
      ), moved as materialized (
        select line.now / coalesce(line.month, line.first) as by, coalesce(line.month_start, night.first) as since
        from line
        cross join night
        where line.key = 0
      ), week as materialized (
        -- Prices that did not move in the week count with a logarithm of 0.
        select member.key, sum(ln(new_minor::float8 / old_minor)) as logs, sum(ln(new_minor::float8 / old_minor) ^ 2)
          as squares
        from (select last, ${lastDerived(region, sql`${lastDerived(region)} - 7`)} as since from night) as span
        cross join lateral marts.moved_prices(${region}, span.since, span.last) as move
        cross join lateral (
          select 0 as key
          union all
          select m.category_key from marts.product_category_now m
          where m.product_key = move.product_key and m.category_key = any (array(select key from part))
        ) as member
        group by member.key
      ), added as materialized (
        select coalesce(part.category_key, -1) as key,
          sum(case when part.period_start = night.last then part.log_points else -part.log_points end)
            * coalesce((moved.by - 1) / nullif(ln(moved.by), 0), 1) as points
        from marts.index_contribution part
        cross join night
        cross join moved
        where part.region = ${region} and part.period = 'day' and part.period_start in (night.last, moved.since)
        group by part.category_key, moved.by
      )
      select
        part.path as category_path, ${changeSince(sql`line.week`)} as change_7_pct,
        ${changeSince(sql`line.month`)} as change_30_pct, ${changeSince(sql`line.quarter`)} as change_91_pct,
        ${changeSince(sql`line.first`)} as change_first_pct,
        -- Aggregated here, so that the week is not read where this is not asked for.
        (select round(nullif(200 * line.now / line.week * sqrt(greatest(0, coalesce(sum(week.squares), 0)
          - coalesce(sum(week.logs), 0) ^ 2 / line.products)
          / nullif(line.products * (line.products - 1)::float8, 0)), 0)::numeric, 2)
          from week where week.key = part.key) as change_7_error_pct,
        ${errorSince(sql`coalesce(line.month, line.first)`, sql`line.month_variance`)} as change_error_pct,
        ${errorSince(sql`line.quarter`, sql`line.quarter_variance`)} as change_91_error_pct,
        round(case
          when part.key = 0 then 100 * (moved.by - 1)
          when ${whole} = 0 then coalesce(added.points, 0)
          else added.points
        end, 6) as contribution_points,
        case when line.base > greatest(night.first, night.last - ${nightsBack}::int) then line.base
          end as new_basis_since,
        line.products as matched_products, night.first as first_night, night.last as until, ${region} as region,
        part.category_id, nullif(part.key, 0) as category_key, line.history,
        case when ${whole} = 0 and added.points = 0 and (select by <> 1 from moved) then 'promotional' end as shelf
      from part
      cross join night
      left join line on line.key = part.key
      left join moved on part.key = 0
      left join added on added.key = coalesce(part.key, -1)
      where line.key is not null or added.points <> 0`;
  },
  order: ({ categoryKeys }) => sql`
      part.key = ${categoryKeys?.[0] ?? 0}::int desc nulls last, contribution_points desc nulls last,
      change_30_pct desc nulls last, change_first_pct desc nulls last, category_path`,
  none: () => 'There is no index yet: it needs complete nights.',
});
