import type { RegionCode } from '../base/model/index.ts';
import { keyOfTwin } from './category-twin.ts';
import { firstDerived, lastDerived } from './certified.ts';
import { type Sql, sql } from './sql.ts';

/** How the price index of a category has moved; percentages are null if the index does not reach back so far. */
export interface IndexChange {
  /** Null: everything in the region. */
  readonly category_key: number | null;
  /** Null: the whole, of which the others are parts. */
  readonly name: string | null;
  readonly matched_products: number | null;
  readonly change_7_pct: string | null;
  readonly change_30_pct: string | null;
  readonly change_91_pct: string | null;
  /** Change since the first night of the book; null if that is out of reach of the nights read here. */
  readonly change_first_pct: string | null;
  readonly first_night: string;
  /** Days from the first night to the last. */
  readonly nights: number;
  /** Percentage points of the change of the whole in 30 nights, or since the first night of a shorter book. */
  readonly contribution_points: string | null;
  readonly member_30_pct: string | null;
  /** Change in 30 nights of the same category in the other region. */
  readonly other_30_pct: string | null;
  /** Values as JSON: `[[night, value], …]`. */
  readonly history: string | null;
}

/** Last value of an index up to some nights ago. */
const lastValue = (nights: number) => sql`
          (array_agg(i.value order by i.period_start desc)
            filter (where i.period_start <= night.last - ${nights}::int))[1]`;

const change = (line: Sql, before: Sql) => sql`round(100 * (${line}.now / nullif(${before}, 0) - 1), 2)`;

/**
 * Everything in a region and its departments, or a category and the categories directly in it, by their change in 30
 * nights or since the first one. The logarithm of a Jevons index is a mean over products, so that a part contributes
 * the logarithm of its change, weighted by its products.
 */
export function indexChanges(region: RegionCode, whole?: number): Sql {
  const other = region === 'uk' ? 'ie' : 'uk';
  // The key 0 is everything in a region.
  const twinOfWhole =
    whole === undefined ? sql`0` : sql`(select ${keyOfTwin} from marts.dim_category c where c.category_key = ${whole})`;
  return sql`
      with night as materialized (
        select ${lastDerived(region)} as last, ${firstDerived(region)} as first
      ), part as materialized (
        select ${whole ?? 0}::int as key, null as name, ${twinOfWhole} as twin
        union all
        select c.category_key, trim(c.name), ${keyOfTwin}
        from marts.dim_category c
        where c.region = ${region} and c.gone_at is null and c.parent_key is not distinct from ${whole ?? null}::int
      ), line as materialized (
        select
          i.region, coalesce(i.category_key, 0) as key, i.price_basis, ${lastValue(0)} as now, ${lastValue(7)} as week,
          ${lastValue(30)} as month, ${lastValue(91)} as quarter,
          (array_agg(i.value) filter (where i.period_start = night.first))[1] as first,
          (array_agg(i.matched_products order by i.period_start desc))[1] as products,
          (json_agg(json_build_array(i.period_start, round(i.value, 3)) order by i.period_start))::text as history
        from (
          select * from marts.price_index where category_key is null
          union all
          select * from marts.price_index
          where category_key = any (array(select key from part union all select twin from part))
        ) as i
        cross join night
        where i.region = any (array['uk', 'ie']) and i.period = 'day' and i.method = 'geks_jevons'
          and i.price_basis = any (array['shelf_adjusted', 'member_adjusted'])
          and i.period_start > (select last from night) - 99 and i.value is not null
        group by i.region, i.category_key, i.price_basis
      )
      select
        nullif(part.key, 0) as category_key, part.name, shelf.products as matched_products,
        ${change(sql`shelf`, sql`shelf.week`)} as change_7_pct,
        ${change(sql`shelf`, sql`shelf.month`)} as change_30_pct,
        ${change(sql`shelf`, sql`shelf.quarter`)} as change_91_pct,
        ${change(sql`shelf`, sql`shelf.first`)} as change_first_pct, night.first as first_night,
        night.last - night.first as nights,
        round(100 * shelf.products::numeric / nullif(whole.products, 0)
          * ln(shelf.now / case when whole.month is null then shelf.first else shelf.month end)
          * coalesce((moved.by - 1) / nullif(ln(moved.by), 0), 1), 3) as contribution_points,
        ${change(sql`member`, sql`member.month`)} as member_30_pct,
        ${change(sql`there`, sql`there.month`)} as other_30_pct, shelf.history
      from part
      cross join night
      join line shelf on shelf.key = part.key and shelf.region = ${region} and shelf.price_basis = 'shelf_adjusted'
      join line whole
        on whole.key = ${whole ?? 0}::int and whole.region = ${region} and whole.price_basis = 'shelf_adjusted'
      cross join lateral (select whole.now / coalesce(whole.month, whole.first) as by) as moved
      left join line member
        on member.key = part.key and member.region = ${region} and member.price_basis = 'member_adjusted'
      left join line there
        on there.key = part.twin and there.region = ${other} and there.price_basis = 'shelf_adjusted'
      order by part.name is not null, change_30_pct desc nulls last, change_first_pct desc nulls last, part.name
      limit 101`;
}
