import type { RegionCode } from '../base/model/index.ts';
import { type Sql, sql } from './sql.ts';

/** Condition for nights used in charts and comparisons. */
export const isCertified = sql`certificate in ('complete', 'complete_within_tolerance')`;

/**
 * Last night with derived figures, a few seconds behind publication. Uses an ordered lookup, because `max` would read
 * all dates of the view.
 */
export function lastDerived(region: RegionCode | Sql, upTo?: string | Sql): Sql {
  return sql`(
    select snapshot_date from marts.fct_region_daily
    where region = ${region}${upTo === undefined ? sql`` : sql` and snapshot_date <= ${upTo}`}
    order by snapshot_date desc limit 1)`;
}

export const firstDerived = (region: RegionCode | Sql): Sql => sql`(
    select snapshot_date from marts.fct_region_daily
    where region = ${region}
    order by snapshot_date limit 1)`;

/** Last night derived in both regions. */
export const lastOfBoth = sql`(
    select uk.snapshot_date from marts.fct_region_daily uk
    where uk.region = 'uk'
      and exists (select from marts.fct_region_daily ie where ie.region = 'ie' and ie.snapshot_date = uk.snapshot_date)
    order by uk.snapshot_date desc limit 1)`;
