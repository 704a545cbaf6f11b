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
  readonly member_30_pct: string | null;
  /** Change in 30 nights of the same category in the other region. */
  readonly other_30_pct: string | null;
  /** Values as JSON: `[[night, value], …]`. */
  readonly history: string | null;
}

/** Index of one category (null: the region) by night, as arrays of values; the newest is first. */
const byNight = (region: RegionCode, category: Sql, basis: 'shelf_adjusted' | 'member_adjusted') => {
  const latest = (nights: number) => sql`
            (array_agg(i.value order by i.period_start desc)
              filter (where i.period_start <= night.last - ${nights}::int))[1]`;
  return sql`
        select
          ${latest(0)} as now, ${latest(7)} as week, ${latest(30)} as month, ${latest(91)} as quarter,
          (array_agg(i.value) filter (where i.period_start = night.first))[1] as first,
          (array_agg(i.matched_products order by i.period_start desc))[1] as matched_products,
          (json_agg(json_build_array(i.period_start, round(i.value, 3)) order by i.period_start))::text as history
        from marts.price_index i
        where i.region = ${region} and i.category_key ${category} and i.period = 'day' and i.method = 'geks_jevons'
          and i.price_basis = ${basis} and i.period_start > night.last - 99 and i.value is not null`;
};

const change = (line: Sql, before: Sql) => sql`round(100 * (${line}.now / nullif(${before}, 0) - 1), 2)`;

/**
 * Everything in a region and its departments, or a category and the categories directly in it, by their change in 30
 * nights or since the first one.
 */
export function indexChanges(region: RegionCode, whole?: number): Sql {
  const other = region === 'uk' ? 'ie' : 'uk';
  const [own, twin] =
    whole === undefined
      ? [sql`is null`, sql`is null`]
      : [sql`= ${whole}`, sql`= (select ${keyOfTwin} from marts.dim_category c where c.category_key = ${whole})`];
  const columns = sql`
        shelf.matched_products, ${change(sql`shelf`, sql`shelf.week`)} as change_7_pct,
        ${change(sql`shelf`, sql`shelf.month`)} as change_30_pct,
        ${change(sql`shelf`, sql`shelf.quarter`)} as change_91_pct,
        ${change(sql`shelf`, sql`shelf.first`)} as change_first_pct, night.first as first_night,
        night.last - night.first as nights,
        ${change(sql`member`, sql`member.month`)} as member_30_pct,
        ${change(sql`there`, sql`there.month`)} as other_30_pct, shelf.history`;
  return sql`
      with night as materialized (select ${lastDerived(region)} as last, ${firstDerived(region)} as first)
      select ${whole ?? null}::int as category_key, null as name, ${columns}
      from night
      cross join lateral (${byNight(region, own, 'shelf_adjusted')}) as shelf
      cross join lateral (${byNight(region, own, 'member_adjusted')}) as member
      cross join lateral (${byNight(other, twin, 'shelf_adjusted')}) as there
      where shelf.now is not null
      union all
      select *
      from (
        select c.category_key, trim(c.name) as name, ${columns}
        from night
        join marts.dim_category c
          on c.region = ${region} and c.gone_at is null and c.parent_key is not distinct from ${whole ?? null}::int
        cross join lateral (${byNight(region, sql`= c.category_key`, 'shelf_adjusted')}) as shelf
        cross join lateral (${byNight(region, sql`= c.category_key`, 'member_adjusted')}) as member
        cross join lateral (${byNight(other, sql`= ${keyOfTwin}`, 'shelf_adjusted')}) as there
        where shelf.now is not null
        order by change_30_pct desc nulls last, change_first_pct desc nulls last, name
        limit 100
      ) as part`;
}
